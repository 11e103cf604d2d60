using Polyjuice.Policies;
using Polyjuice.Storage;
using Polyjuice.Training.Calls;
using Polyjuice.Training.Traces;

namespace Polyjuice.Training.Cluster.Calls;

/// <summary>
/// Makes the states that recorded calls met: those that were recorded, or that the application loads, and what the
/// calls before have done since, which are made once, on a cluster without delays. Used by one caller at a time.
/// </summary>
/// <param name="application">The application.</param>
/// <param name="clusters">Starts its clusters.</param>
internal sealed class InitialLogs(TrainedApplication application, TestClusters clusters)
{
    // Whichever is in force, states are the same but for what depends on the order of calls. Not the one to be
    // replaced, which may be slow: what silos take by default.
    private static readonly PolicyDocument _table = BuiltinPolicies.Get("occ").Document;

    // By reference: a window is compared by its whole trace otherwise.
    private readonly Dictionary<CallWindow, MemoryLogStore> _before = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<CallWindow, MemoryLogStore> _after = new(ReferenceEqualityComparer.Instance);
    private MemoryLogStore? _loaded;

    /// <summary>The states that a window's calls met, not to be written to: measurements take copies.</summary>
    /// <param name="window">Which.</param>
    /// <param name="cancellationToken">Gives up.</param>
    /// <exception cref="ClusterFailedException">A cluster did not start, or did not last.</exception>
    /// <exception cref="OperationCanceledException">It was given up.</exception>
    public async Task<MemoryLogStore> OfAsync(CallWindow window, CancellationToken cancellationToken)
    {
        if (_before.TryGetValue(window, out var known)) return known;
        var logs = window.Previous is { } previous ? await AfterAsync(previous, cancellationToken).ConfigureAwait(false)
            : window.States is { } states ? await states(clusters.Options.Silos, clusters.Groups).ConfigureAwait(false)
            : await LoadedAsync(cancellationToken).ConfigureAwait(false);
        if (window.Before is { } before)
            logs = await MadeAsync(before, logs, window.Name, cancellationToken).ConfigureAwait(false);
        return _before[window] = logs;
    }

    private async Task<MemoryLogStore> AfterAsync(CallWindow window, CancellationToken cancellationToken)
    {
        if (_after.TryGetValue(window, out var known)) return known;
        var logs = await OfAsync(window, cancellationToken).ConfigureAwait(false);
        return _after[window] = await MadeAsync(
            window.Calls, logs, window.Name, cancellationToken).ConfigureAwait(false);
    }

    private async Task<MemoryLogStore> LoadedAsync(CancellationToken cancellationToken)
    {
        if (_loaded is { } known) return known;
        var logs = new MemoryLogStore(clusters.Options.Silos, takesCheckpoints: true);
        if (application.LoadAsync is not { } load) return _loaded = logs;
        const string purpose = "loading the states, by the application's LoadAsync";
        await using (var cluster = await clusters.StartAsync(
            _table, logs, isDelayed: false, purpose).ConfigureAwait(false))
        {
            using var watch = new ClusterWatch(cluster);
            await watch.WhileItRunsAsync(Task.Run(LoadAsync, cancellationToken), purpose).ConfigureAwait(false);

            async Task<bool> LoadAsync()
            {
                await load(cluster, cancellationToken).ConfigureAwait(false);
                await cluster.WhenIdleAsync().ConfigureAwait(false);
                return true;
            }
        }

        return _loaded = logs;
    }

    private async Task<MemoryLogStore> MadeAsync(
        AccessTrace calls, MemoryLogStore from, string name, CancellationToken cancellationToken)
    {
        var purpose = $"the calls before {name}";
        var logs = from.Copy();
        await using var cluster = await clusters.StartAsync(
            _table, logs, isDelayed: false, purpose).ConfigureAwait(false);
        using var watch = new ClusterWatch(cluster);
        var replay = new CallReplay(
            calls, cluster.CallTarget, new CallReplayOptions { Clients = clusters.Options.Clients });
        await watch.WhileItRunsAsync(Task.Run(MakeAsync, CancellationToken.None), purpose).ConfigureAwait(false);
        cancellationToken.ThrowIfCancellationRequested();
        return logs;

        async Task<bool> MakeAsync()
        {
            await replay.RunAsync(null, cancellationToken).ConfigureAwait(false);
            await cluster.WhenIdleAsync().ConfigureAwait(false);
            return true;
        }
    }
}
