using System.Collections.Concurrent;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Orleans;
using Orleans.Runtime;
using Orleans.TestingHost;

namespace Polyjuice.Testing;

/// <summary>The silos of a test cluster: starts and ends them, in good order and otherwise. Thread-safe.</summary>
internal sealed class SiloFleet
{
    private readonly PolyjuiceTestClusterOptions _options;
    private readonly ClusterNetwork _network;
    private readonly ClusterLogs _logs;
    private readonly ConcurrentDictionary<int, SiloParts> _parts = new();
    private readonly Lock _gate = new();
    private readonly List<TestSilo> _silos = [];
    private readonly List<Task> _ending = [];
    private int _number = -1;

    public SiloFleet(
        PolyjuiceTestClusterOptions options, ClusterNetwork network, ClusterLogs logs, ClusterDiary diary,
        HistoryRecorder? history)
    {
        _options = options;
        _network = network;
        _logs = logs;
        Cluster = SiloSetup.Build(options, network, Part, diary.Of, history);
    }

    /// <summary>Orleans' own.</summary>
    public InProcessTestCluster Cluster { get; }

    /// <summary>The silos that have not ended, by their numbers.</summary>
    public IReadOnlyList<TestSilo> Silos
    {
        get
        {
            lock (_gate) return [.. _silos];
        }
    }

    /// <summary>Starts a silo, which joins. One whose start fails is ended.</summary>
    /// <param name="number">Its number; the next one by default.</param>
    public async Task<TestSilo> StartAsync(int? number = null)
    {
        var one = number ?? Interlocked.Increment(ref _number);
        InProcessSiloHandle handle;
        try
        {
            handle = await Cluster.StartSiloAsync(one, Cluster.Options).ConfigureAwait(false);
        }
        catch
        {
            await EndFailedAsync(one).ConfigureAwait(false);
            throw;
        }

        _parts.TryRemove(handle.SiloAddress.Endpoint.Port, out var parts);
        var silo = new TestSilo(this, parts!, handle);
        lock (_gate)
        {
            // Those of the cluster's start come in any order.
            _silos.Add(silo);
            _silos.Sort(static (one, other) => one.Parts.Number.CompareTo(other.Parts.Number));
        }

        // One that finds itself declared dead stops by itself.
        handle.ServiceProvider.GetRequiredService<IHostApplicationLifetime>().ApplicationStopping.Register(() =>
        {
            if (silo.TryEnd(TestSiloState.Stopped)) EndInBackground(silo, () => Cluster.StopSiloAsync(handle));
        });
        return silo;
    }

    /// <inheritdoc cref="TestSilo.CrashAsync"/>
    public async Task CrashAsync(TestSilo silo)
    {
        if (!silo.TryEnd(TestSiloState.Crashed)) return;
        silo.Parts.Log.IsRefused = true;
        silo.Parts.Log.Release();
        _network.Cut(silo.Parts.Node);
        Forget(silo);
        await Task.Delay(_options.FailureDetection).ConfigureAwait(false);
        await DeclareDeadAsync(silo).ConfigureAwait(false);
        EndInBackground(silo, () => Cluster.KillSiloAsync(silo.Handle));
    }

    /// <inheritdoc cref="TestSilo.Pause"/>
    public void Pause(TestSilo silo)
    {
        if (!silo.TryChange(TestSiloState.Running, TestSiloState.Paused) && silo.State != TestSiloState.Paused)
            throw new InvalidOperationException($"{silo} has ended.");
        silo.Parts.Node.Pause();
        silo.Parts.Log.Hold();
    }

    /// <inheritdoc cref="TestSilo.Resume"/>
    public void Resume(TestSilo silo)
    {
        if (!silo.TryChange(TestSiloState.Paused, TestSiloState.Running)) return;
        silo.Parts.Log.Release();
        silo.Parts.Node.Resume();
        if (silo.IsDeclaredDead) InBackground(() => FindOutAsync(silo));
    }

    /// <inheritdoc cref="TestSilo.DeclareDeadAsync"/>
    public async Task DeclareDeadAsync(TestSilo silo)
    {
        silo.IsDeclaredDead = true;
        var table = ((GatedMembershipTable)silo.Table).Inner;
        if (await MembershipTables.DeclareDeadAsync(table, silo.Address).ConfigureAwait(false) is not { } version)
            return;
        await Task.WhenAll(
            Silos.Where(other => other != silo && other.State == TestSiloState.Running)
                .Select(other => RefreshAsync(other, version)))
            .ConfigureAwait(false);
    }

    /// <inheritdoc cref="TestSilo.LeaveAsync"/>
    public async Task LeaveAsync(TestSilo silo)
    {
        Resume(silo);
        if (!silo.TryEnd(TestSiloState.Stopped)) return;
        await EndAsync(silo, () => Cluster.StopSiloAsync(silo.Handle)).ConfigureAwait(false);
    }

    /// <summary>Ends all silos in good order, and waits for those that end already.</summary>
    public async Task StopAsync()
    {
        foreach (var silo in Silos) Resume(silo);
        await Cluster.StopClusterClientAsync().ConfigureAwait(false);
        foreach (var silo in Silos) await LeaveAsync(silo).ConfigureAwait(false);
        Task[] ending;
        lock (_gate) ending = [.. _ending];
        await Task.WhenAll(ending).ConfigureAwait(false);
        await Cluster.DisposeAsync().ConfigureAwait(false);
    }

    private SiloParts Part(InProcessTestSiloSpecificOptions silo)
    {
        var number = int.Parse(
            silo.SiloName.AsSpan(silo.SiloName.LastIndexOf('_') + 1),
            System.Globalization.CultureInfo.InvariantCulture);
        var faults = new LogFaults(unchecked((_options.Seed * 397) + number)) { AppendDelay = _options.AppendDelay };
        return _parts[silo.SiloPort] = new(
            number, _network.Add(silo.SiloName, silo.SiloPort, silo.GatewayPort), faults, _logs.Store);
    }

    // In real life its next word to anybody would be answered with it.
    private async Task FindOutAsync(TestSilo silo)
    {
        await Task.Delay(_options.FailureDetection).ConfigureAwait(false);
        await RefreshAsync(silo, null).ConfigureAwait(false);
    }

    private static async Task RefreshAsync(TestSilo silo, MembershipVersion? version)
    {
        try
        {
            // Without an end of its own, Orleans' refresh goes on for ever
            // on a silo that has stopped: its snapshot changes no more.
            var membership = silo.Services.GetRequiredService<IClusterMembershipService>();
            await membership.Refresh(version ?? default, silo.Ending).ConfigureAwait(false);
        }
        catch (Exception) when (silo.State != TestSiloState.Running)
        {
            // It has ended meanwhile.
        }
    }

    // None if the start has failed before there was anything of it.
    private async Task EndFailedAsync(int number)
    {
        foreach (var (port, parts) in _parts)
        {
            if (parts.Number != number || !_parts.TryRemove(port, out _)) continue;
            try
            {
                await parts.EndAsync().ConfigureAwait(false);
            }
            catch (OperationCanceledException)
            {
                // What can't be done at once is left.
            }

            _network.Remove(parts.Node);
        }
    }

    private void Forget(TestSilo silo)
    {
        lock (_gate) _silos.Remove(silo);
    }

    private void EndInBackground(TestSilo silo, Func<Task> end)
    {
        Forget(silo);
        InBackground(() => EndAsync(silo, end));
    }

    private async Task EndAsync(TestSilo silo, Func<Task> end)
    {
        Forget(silo);
        try
        {
            await end().ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            // A kill of a silo that is stopping already: Orleans does not wait for that, and neither does a kill.
        }

        _network.Remove(silo.Parts.Node);
        silo.NoteEnded();
    }

    private void InBackground(Func<Task> work)
    {
        lock (_gate)
        {
            _ending.RemoveAll(task => task.IsCompletedSuccessfully);
            _ending.Add(Task.Run(work));
        }
    }
}
