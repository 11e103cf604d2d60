using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Polyjuice.Testing;

namespace Polyjuice.Training.Cluster;

/// <summary>Notices that a silo of a test cluster ends while it is needed. Thread-safe.</summary>
internal sealed class ClusterWatch : IDisposable
{
    private const int CauseMax = 300;
    private const string ErrorMark = " Error ";

    private readonly PolyjuiceTestCluster _cluster;
    private readonly IReadOnlyList<TestSilo> _silos;
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly List<CancellationTokenRegistration> _registrations = [];

    /// <summary>Watches all silos that run now.</summary>
    public ClusterWatch(PolyjuiceTestCluster cluster)
    {
        _cluster = cluster;
        _silos = cluster.Silos;
        foreach (var silo in _silos)
        {
            var stopping = silo.Services.GetRequiredService<IHostApplicationLifetime>().ApplicationStopping;
            _registrations.Add(stopping.Register(() => _ended.TrySetResult()));
        }
    }

    /// <summary>Completes when one of them ends.</summary>
    public Task Ended => _ended.Task;

    /// <summary>Throws if one of them has ended.</summary>
    /// <param name="purpose">What the cluster was for, for messages.</param>
    /// <exception cref="ClusterFailedException">One has.</exception>
    public void ThrowIfEnded(string purpose)
    {
        var gone = _silos.Where(static silo => silo.State != TestSiloState.Running).Select(static silo => silo.Name)
            .ToArray();
        if (gone.Length == 0 && !_ended.Task.IsCompleted) return;
        var who = gone.Length == 0
            ? "a silo of the test cluster"
            : $"silo {string.Join(", ", gone)} of the test cluster";
        throw new ClusterFailedException($"{purpose}: {who} has ended in the middle. {Cause()}");
    }

    /// <summary>Waits for work on the cluster, and no longer than all silos run.</summary>
    /// <param name="work">The work.</param>
    /// <param name="purpose">What it is for, for messages.</param>
    /// <exception cref="ClusterFailedException">A silo has ended, or the work has failed.</exception>
    /// <exception cref="OperationCanceledException">The work was given up.</exception>
    public async Task<T> WhileItRunsAsync<T>(Task<T> work, string purpose)
    {
        await Task.WhenAny(work, Ended).ConfigureAwait(false);
        ThrowIfEnded(purpose);
        try
        {
            return await work.ConfigureAwait(false);
        }
        catch (Exception exception) when (exception is not OperationCanceledException)
        {
            throw new ClusterFailedException(
                $"{purpose}: {exception.GetType().Name}: {TestClusters.CauseOf(exception)}", exception);
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        foreach (var registration in _registrations) registration.Dispose();
    }

    // The first error: what follows it is mostly its consequence.
    private string Cause()
    {
        var error = _cluster.Warnings.FirstOrDefault(static line => line.Contains(ErrorMark, StringComparison.Ordinal));
        var line = error?.Split('\n')[0].Trim();
        return line is null ? "It has logged no error: the application's code, or somebody, has stopped it."
            : $"The first error that it has logged: {(line.Length > CauseMax ? line[..CauseMax] + "…" : line)}";
    }
}
