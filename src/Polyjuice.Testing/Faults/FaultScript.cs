using System.Diagnostics;

namespace Polyjuice.Testing;

/// <summary>Carries a fault script out, until it is stopped or over. Thread-safe.</summary>
internal sealed class FaultScript
{
    private readonly ClusterFaults _faults;
    private readonly SiloFleet _fleet;
    private readonly ClusterNetwork _network;
    private readonly IReadOnlyList<PlannedFault> _plan;
    private readonly CancellationTokenSource _stop = new();
    private readonly Lock _gate = new();
    private readonly HashSet<(FaultKind Kind, string Target)> _underWay = [];
    private readonly long _began = Stopwatch.GetTimestamp();

    public FaultScript(ClusterFaults faults, SiloFleet fleet, ClusterNetwork network)
    {
        _faults = faults;
        _fleet = fleet;
        _network = network;
        _plan = FaultPlan.Of(faults);
        Ledger = new(faults.Seed, _plan.Count);
        Ended = Task.Run(RunAsync);
    }

    /// <summary>What it has done.</summary>
    public FaultLedger Ledger { get; }

    /// <summary>Completes when no fault is left, and what they took away is there again.</summary>
    public Task Ended { get; }

    /// <summary>Begins no fault any more, and ends those that are under way.</summary>
    public void Stop() => _stop.Cancel();

    private async Task RunAsync()
    {
        var faults = new List<Task>();
        foreach (var fault in _plan)
        {
            var left = fault.At - Stopwatch.GetElapsedTime(_began);
            if (left > TimeSpan.Zero) await WaitAsync(left).ConfigureAwait(false);
            if (_stop.IsCancellationRequested) break;
            faults.Add(BeginAsync(fault));
        }

        await Task.WhenAll(faults).ConfigureAwait(false);
    }

    private async Task BeginAsync(PlannedFault fault)
    {
        (string Target, Task Begun, Func<Task> End)? begun;
        lock (_gate)
        {
            begun = Begin(fault);
            if (begun is { } taken && !_underWay.Add((fault.Kind, taken.Target)))
                throw new UnreachableException("A fault was begun twice.");
        }

        Ledger.Add(new(Stopwatch.GetElapsedTime(_began), fault.Kind, begun?.Target, fault.Duration));
        if (begun is not { } started) return;
        await WaitAsync(fault.Duration).ConfigureAwait(false);
        await started.Begun.ConfigureAwait(false);
        await started.End().ConfigureAwait(false);
        lock (_gate) _underWay.Remove((fault.Kind, started.Target));
    }

    // What it begins takes effect before it returns, so that two faults never take the last silo together.
    private (string Target, Task Begun, Func<Task> End)? Begin(PlannedFault fault) => fault.Kind switch
    {
        FaultKind.Crash => OfOne(fault, takesAway: true, silo => (silo.CrashAsync(), StartOneAsync)),
        FaultKind.Leave => OfOne(fault, takesAway: true, silo => (silo.LeaveAsync(), StartOneAsync)),
        FaultKind.Pause => OfOne(fault, takesAway: true, silo => Begun(silo.Pause, silo.Resume)),
        FaultKind.Deposition => OfOne(fault, takesAway: true, Depose),
        FaultKind.AppendDelay => OfOne(fault, takesAway: false, DelayAppends),
        FaultKind.AppendFailure => OfOne(
            fault,
            takesAway: false,
            silo => Begun(() => FailAppends(silo, _faults.Share / 3), () => FailAppends(silo, 0))),
        FaultKind.FullDisk =>
            OfOne(fault, takesAway: false, silo => Begun(() => silo.Log.IsFull = true, () => silo.Log.IsFull = false)),
        FaultKind.Partition => OfTwo(
            fault,
            Names(),
            (one, other) => Begun(() => _network.Partition(one, other), () => _network.Unpartition(one, other))),
        FaultKind.OneWayPartition => OfTwo(
            fault,
            Names(),
            (one, other) => Begun(() => _network.Block(one, other), () => _network.Unblock(one, other))),
        FaultKind.Disconnection => OfTwo(
            fault,
            [.. Names(), ClusterNetwork.Client],
            (one, other) => Begun(() => _network.Disconnect(one, other), () => { })),
        FaultKind.BatchLoss => OfAll(fault, _network.Batches.Loss, value => _network.Batches.Loss = value),
        FaultKind.BatchDuplication =>
            OfAll(fault, _network.Batches.Duplication, value => _network.Batches.Duplication = value),
        FaultKind.BatchReordering =>
            OfAll(fault, _network.Batches.Reordering, value => _network.Batches.Reordering = value),
        FaultKind.NetworkDelay => DelayNetwork(fault),
        _ => throw new UnreachableException($"There is no fault {fault.Kind}."),
    };

    private (string Target, Task Begun, Func<Task> End)? OfOne(
        PlannedFault fault, bool takesAway, Func<TestSilo, (Task Begun, Func<Task> End)> begin)
    {
        var silos = Running();
        if (silos.Length == 0 || (takesAway && silos.Length <= _faults.SilosMin)) return null;
        var silo = silos[fault.Choice % silos.Length];
        if (_underWay.Contains((fault.Kind, silo.Name))) return null;
        var (begun, end) = begin(silo);
        return (silo.Name, begun, end);
    }

    private (string Target, Task Begun, Func<Task> End)? OfTwo(
        PlannedFault fault, string[] names, Func<string, string, (Task Begun, Func<Task> End)> begin)
    {
        if (names.Length < 2) return null;
        var one = fault.Choice % names.Length;
        var other = (one + 1 + (fault.Choice / names.Length % (names.Length - 1))) % names.Length;
        var target = $"{names[one]} and {names[other]}";
        if (_underWay.Contains((fault.Kind, target))) return null;
        var (begun, end) = begin(names[one], names[other]);
        return (target, begun, end);
    }

    private (string Target, Task Begun, Func<Task> End)? OfAll(PlannedFault fault, double before, Action<double> set)
    {
        const string All = "all";
        if (_underWay.Contains((fault.Kind, All))) return null;
        var (begun, end) = Begun(() => set(_faults.Share), () => set(before));
        return (All, begun, end);
    }

    private (string Target, Task Begun, Func<Task> End)? DelayNetwork(PlannedFault fault)
    {
        const string All = "all";
        if (_underWay.Contains((fault.Kind, All))) return null;
        var before = _network.Delay;
        var (begun, end) = Begun(() => _network.Delay = _faults.Delay, () => _network.Delay = before);
        return (All, begun, end);
    }

    private (Task Begun, Func<Task> End) DelayAppends(TestSilo silo)
    {
        var before = silo.Log.AppendDelay;
        return Begun(() => silo.Log.AppendDelay = _faults.Delay, () => silo.Log.AppendDelay = before);
    }

    private (Task Begun, Func<Task> End) Depose(TestSilo silo)
    {
        silo.Pause();
        return (silo.DeclareDeadAsync(), () =>
        {
            silo.Resume();
            return StartOneAsync();
        });
    }

    private static void FailAppends(TestSilo silo, double share) =>
        (silo.Log.FailBefore, silo.Log.FailAfter, silo.Log.FailLate) = (share, share, share);

    private async Task StartOneAsync() => await _fleet.StartAsync().ConfigureAwait(false);

    private TestSilo[] Running() =>
        [.. _fleet.Silos.Where(silo => silo is { State: TestSiloState.Running, IsDeclaredDead: false })];

    private string[] Names() => [.. Running().Select(silo => silo.Name)];

    private static (Task Begun, Func<Task> End) Begun(Action begin, Action end)
    {
        begin();
        return (Task.CompletedTask, () =>
        {
            end();
            return Task.CompletedTask;
        });
    }

    private async Task WaitAsync(TimeSpan time)
    {
        try
        {
            await Task.Delay(time, _stop.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            // What is to come after that comes now.
        }
    }
}
