using Polyjuice.Agents;
using Polyjuice.Contracts;
using Polyjuice.Isolation;
using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Coverage;
using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Faults;
using Polyjuice.Simulation.Grains;
using Polyjuice.Simulation.Workloads;

namespace Polyjuice.Simulation.Runs;

/// <summary>
/// Runs a random load to its end and judges it: everything ends once faults have stopped (I4), the history is
/// serializable (I1, I2), and what the logs alone give back after every silo has died is what was there before (I3).
/// </summary>
internal sealed class SimulatedRun : IDisposable
{
    private const long RestMax = 60_000_000;

    /// <summary>Aims at the last steps of a transaction strike after the last one has arrived.</summary>
    private const long AimedMax = 200_000;

    private readonly RunShape _shape;
    private readonly SimulationRandom _random;
    private readonly SimulatedCluster _cluster;
    private readonly IWorkload _workload;
    private readonly FaultInjector _faults;
    private int _started;

    private SimulatedRun(RunShape shape, ulong seed, Action<SimulatedCluster>? prepare)
    {
        static SimulationRandom Random(ulong seed) => new(SimulationRandom.Mix(seed ^ 0xABCDEF));
        if (shape.Load.Kind is WorkloadKind.Micro or WorkloadKind.Ycsb)
            throw new NotSupportedException(
                $"There are no synthetic grains for {shape.Load.Kind}; run it with real ones.");
        _shape = shape;
        _random = Random(shape.Streams.Load ?? seed);
        _cluster = new SimulatedCluster(
            shape.Cluster with { NetworkSeed = shape.Streams.Network, StorageSeed = shape.Streams.Storage }, seed);
        _workload = shape.Load.Kind == WorkloadKind.Smallbank
            ? new SmallbankWorkload(_random.Fork(1), shape.Cluster, shape.Load)
            : shape.Load.HasFixedSets ? new FixedSetWorkload(_random.Fork(1), shape.Cluster)
            : new RandomWorkload(_random.Fork(1), shape.Cluster, shape.Load);
        _faults = new FaultInjector(
            _cluster, shape.Faults, Random(shape.Streams.Faults ?? seed).Fork(2), shape.Transactions, shape.Aims);
        prepare?.Invoke(_cluster);
    }

    /// <summary>
    /// Executes; throws <see cref="SimulationFailedException"/>, trace included, when an invariant breaks.
    /// </summary>
    public static RunResult Execute(
        RunShape shape, ulong seed, Action<SimulatedCluster>? prepare = null, Action<History>? keep = null)
    {
        using var run = new SimulatedRun(shape, seed, prepare);
        try
        {
            return run.Execute(keep);
        }
        catch (Exception thrown)
        {
            // What the specification refuses, others may notice in the same turn; and it says why.
            var e = run._cluster.Protocol?.Rejection
                ?? thrown as SimulationFailedException
                    ?? new SimulationFailedException("exception", thrown.ToString(), thrown);
            var text = e.Message.StartsWith($"{e.Kind}: ", StringComparison.Ordinal)
                ? e.Message[(e.Kind.Length + 2)..]
                : e.Message;
            throw new SimulationFailedException(
                e.Kind, $"{text}\nseed {seed}, {run._cluster.Loop.EventsRun} events, {run._cluster.Loop.Now} µs", e)
            {
                FaultsInjected = run._cluster.Faults.Total,
                Trace = run._cluster.Trace,
            };
        }
    }

    public void Dispose() => _cluster.Dispose();

    private RunResult Execute(Action<History>? keep)
    {
        _cluster.StartNodes();
        if (_shape.Cluster.KeepsToSets) _cluster.LoadGrains();
        var loaded = _cluster.Records.Count;
        Load();
        _faults.Start();
        if (_shape.Probes) _cluster.Probe = new StateProbe(_cluster);
        if (_shape.Clients == 0) _cluster.Loop.RunFor(_shape.ArrivalWindow);
        if (_shape.Clients == 0 && _shape.Aims.Count > 0) _cluster.Loop.RunUntil(HasEnded, AimedMax);
        if (_shape.Clients > 0) _cluster.Loop.RunUntil(HasEnded, _shape.FaultyMax);
        _faults.Stop();
        _cluster.StopFaults();
        _cluster.Require(HasEnded, RestMax, "progress", "transactions still run long after faults stopped");
        var final = Verdict.Judge(_cluster, _shape.Load.Kind, keep);
        if (_cluster.Protocol?.Rejection is { } rejection) throw rejection;
        var records = _cluster.Records;
        var aborts = new long[AbortReasonExtensions.Count];
        foreach (var node in _cluster.AllNodes)
        {
            for (var i = 0; i < aborts.Length; i++) aborts[i] += node.Engine.Statistics.AbortsByReason[i];
        }

        return new RunResult(records, final)
        {
            Digest = _cluster.Loop.Digest,
            Events = _cluster.Loop.EventsRun,
            VirtualMicroseconds = _cluster.Loop.Now,
            Workload = _shape.Load.Kind,
            Transactions = _started,
            Committed = records.Skip(loaded).Take(_started).Count(r => r.Outcome == Outcome.Committed),
            Attempts = records.Skip(loaded).Take(_started).Sum(r => r.Runs.Count),
            Resumes = _cluster.AllNodes.Sum(n => n.Engine.Statistics.Resumes),
            AbortsByReason = aborts,
            Faults = _cluster.Faults,
            Reordered = _cluster.Network.Reordered,
            Coverage = _cluster.Coverage,
            Features = _cluster.Probe?.Features,
        };
    }

    private bool HasEnded() => _started == _shape.Transactions && _cluster.Running == 0;

    private void Load()
    {
        if (_shape.Clients == 0)
        {
            for (var i = 0; i < _shape.Transactions; i++)
            {
                var spec = _workload.Next();
                _cluster.Loop.Queue(_random.Between(0, _shape.ArrivalWindow), EventKind.Client, 0, () =>
                {
                    _faults.TransactionStarted(++_started);
                    _cluster.Submit(_random.Pick(_cluster.Alive), spec);
                });
            }
        }
        else
        {
            _cluster.RecordEnded = record => NextOf(record.Client);
            for (var client = 0; client < _shape.Clients; client++) NextOf(client);
        }

        for (var i = 0; _shape.Swaps && i < 3; i++)
        {
            var table = new RandomPolicy(_random.Next());
            _cluster.Loop.Queue(_random.Between(0, _shape.ArrivalWindow), EventKind.Client, 1, () =>
            {
                foreach (var node in _cluster.Alive) node.Policies.Swap(table);
            });
        }
    }

    private void NextOf(int client)
    {
        if (_started >= _shape.Transactions) return;
        _cluster.Loop.Queue(_random.Between(1, _shape.PauseMax), EventKind.Client, client, () =>
        {
            if (_started >= _shape.Transactions) return;
            _faults.TransactionStarted(++_started);
            _cluster.Submit(_random.Pick(_cluster.Alive), _workload.Next(), client: client);
        });
    }
}
