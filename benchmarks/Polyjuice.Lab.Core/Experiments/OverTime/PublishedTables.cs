using System.Diagnostics;
using Microsoft.Extensions.Logging.Abstractions;
using Polyjuice.Lab.Clusters;
using Polyjuice.Policies;
using Polyjuice.Publishing;
using Polyjuice.Publishing.Following;

namespace Polyjuice.Lab.Experiments.OverTime;

/// <summary>Publishes tables in a folder of its own, which all processes of a cluster follow.</summary>
internal sealed class PublishedTables : IAsyncDisposable
{
    /// <summary>
    /// Followers look several times a second; on a machine that is busy
    /// elsewhere it takes longer until they have taken the last release.
    /// </summary>
    private static readonly TimeSpan _takenMax = TimeSpan.FromMinutes(1);

    private readonly Lock _gate = new();
    private readonly string _folder = Directory.CreateTempSubdirectory("polyjuice-published-").FullName;
    private readonly CancellationTokenSource _end = new();
    private readonly List<(PolicyFollower Follower, Task Running)> _followers = [];
    private readonly List<(PolicyChange Change, TimeSpan At)> _changes = [];
    private readonly PublishedPoliciesOptions _options;
    private readonly PolicyRepository _repository;
    private readonly long _began = Stopwatch.GetTimestamp();
    private Task _publishing = Task.CompletedTask;
    private int _published;
    private TaskCompletionSource _changed = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <param name="options">How they are followed.</param>
    public PublishedTables(PublishedPoliciesOptions options)
    {
        _options = options;
        _repository = new(new FilePolicyEntries(_folder), TimeProvider.System);
    }

    /// <summary>Has all processes of a cluster follow, until this is disposed. Once.</summary>
    public void Follow(IBenchmarkCluster cluster)
    {
        foreach (var (policies, load) in cluster.Processes)
        {
            var follower = new PolicyFollower(
                new(new FilePolicyEntries(_folder), TimeProvider.System),
                policies,
                load,
                _options,
                TimeProvider.System,
                NullLogger.Instance,
                $"process {_followers.Count}");
            follower.Changed += change =>
            {
                lock (_gate) _changes.Add((change, Stopwatch.GetElapsedTime(_began)));
                Interlocked.Exchange(
                    ref _changed, new(TaskCreationOptions.RunContinuationsAsynchronously)).TrySetResult();
            };
            _followers.Add((follower, Task.Run(() => follower.RunAsync(_end.Token))));
        }
    }

    /// <summary>What followers have done so far, and when, since this was made.</summary>
    public IReadOnlyList<(PolicyChange Change, TimeSpan At)> Changes
    {
        get
        {
            lock (_gate) return [.. _changes];
        }
    }

    /// <summary>
    /// Begins to publish a table, once all have taken those before it: who looks only when another one is there already
    /// passes over what it replaces, and on a machine that stalls they would be published in one breath.
    /// </summary>
    /// <exception cref="ArgumentException">It is not of a document.</exception>
    public void Publish(IPolicyCompiler table)
    {
        if (table is not DocumentPolicy policy)
            throw new ArgumentException($"{table.Name} has no document that could be published.", nameof(table));
        var (before, earlier) = (_publishing, _published++);
        _publishing = Task.Run(async () =>
        {
            await before;
            await TakenAsync(earlier, _end.Token);
            await _repository.PublishAsync(PolicyWriter.Write(policy.Document), "experiment");
        });
    }

    /// <summary>
    /// Waits until each process has taken so many releases: otherwise what was measured is something else.
    /// </summary>
    /// <param name="releases">How many were published.</param>
    /// <param name="cancellationToken">Waits no longer, and says nothing.</param>
    /// <exception cref="InvalidOperationException">One has not, and a minute later it still has not.</exception>
    public async Task RequireTakenAsync(int releases, CancellationToken cancellationToken)
    {
        try
        {
            await _publishing.WaitAsync(cancellationToken);
            await TakenAsync(releases, cancellationToken);
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            // Who gives up wants no complaint.
        }
    }

    private async Task TakenAsync(int releases, CancellationToken cancellationToken)
    {
        using var patience = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        patience.CancelAfter(_takenMax);
        while (true)
        {
            // Before the changes: what comes after those were read completes it.
            var changed = Volatile.Read(ref _changed).Task;
            var taken = Changes.Count(entry => entry.Change.Kind == PolicyChangeKind.Taken);
            if (taken == releases * _followers.Count) return;
            try
            {
                await changed.WaitAsync(patience.Token);
            }
            catch (OperationCanceledException)
            {
                cancellationToken.ThrowIfCancellationRequested();
                throw new InvalidOperationException(
                    $"{releases} tables were published for {_followers.Count} process(es), and {taken} were taken.");
            }
        }
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await _end.CancelAsync();
        try
        {
            await _publishing;
        }
        catch (OperationCanceledException)
        {
            // What was still to be published, nobody waits for any more.
        }
        finally
        {
            foreach (var (follower, running) in _followers)
            {
                await running;
                follower.Dispose();
            }

            _end.Dispose();
            Directory.Delete(_folder, recursive: true);
        }
    }
}
