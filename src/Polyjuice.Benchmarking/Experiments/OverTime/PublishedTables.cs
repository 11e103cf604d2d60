using System.Diagnostics;
using Microsoft.Extensions.Logging.Abstractions;
using Polyjuice.Benchmarking.Clusters;
using Polyjuice.Policies;
using Polyjuice.Policies.Following;
using Polyjuice.Policies.Publishing;

namespace Polyjuice.Benchmarking.Experiments.OverTime;

/// <summary>Publishes tables in a folder of its own, which all processes of a cluster follow.</summary>
internal sealed class PublishedTables : IAsyncDisposable
{
    private readonly Lock _gate = new();
    private readonly string _folder = Directory.CreateTempSubdirectory("polyjuice-published-").FullName;
    private readonly CancellationTokenSource _end = new();
    private readonly List<(PolicyFollower Follower, Task Running)> _followers = [];
    private readonly List<(PolicyChange Change, TimeSpan At)> _changes = [];
    private readonly PolicyFollowerOptions _options;
    private readonly PolicyRepository _repository;
    private readonly long _began = Stopwatch.GetTimestamp();
    private Task _publishing = Task.CompletedTask;

    /// <param name="options">How they are followed.</param>
    public PublishedTables(PolicyFollowerOptions options)
    {
        _options = options;
        _repository = new(new FilePolicyEntries(_folder), TimeProvider.System);
    }

    /// <summary>Has all processes of a cluster follow, until this is disposed. Once.</summary>
    public void Follow(IBenchmarkCluster cluster)
    {
        foreach (var (policies, load) in cluster.Processes)
        {
            var follower = new PolicyFollower(new(new FilePolicyEntries(_folder), TimeProvider.System), policies, load, _options, TimeProvider.System, NullLogger.Instance, $"process {_followers.Count}");
            follower.Changed += change =>
            {
                lock (_gate) _changes.Add((change, Stopwatch.GetElapsedTime(_began)));
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

    /// <summary>Begins to publish a table, behind those before it.</summary>
    /// <exception cref="ArgumentException">It is not of a document.</exception>
    public void Publish(IPolicyCompiler table)
    {
        if (table is not DocumentPolicy policy) throw new ArgumentException($"{table.Name} has no document that could be published.", nameof(table));
        var before = _publishing;
        _publishing = Task.Run(async () =>
        {
            await before;
            await _repository.PublishAsync(PolicyWriter.Write(policy.Document), "experiment");
        });
    }

    /// <summary>Sees to it that each process has taken so many releases: otherwise what was measured is something else.</summary>
    /// <exception cref="InvalidOperationException">One has not.</exception>
    public void RequireTaken(int releases)
    {
        var taken = Changes.Count(entry => entry.Change.Kind == PolicyChangeKind.Taken);
        if (taken != releases * _followers.Count) throw new InvalidOperationException($"{releases} tables were published for {_followers.Count} process(es), and {taken} were taken.");
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        try
        {
            await _publishing;
        }
        finally
        {
            await _end.CancelAsync();
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
