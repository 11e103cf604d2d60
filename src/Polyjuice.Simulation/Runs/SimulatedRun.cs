using System.Text;
using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Grains;

namespace Polyjuice.Simulation.Runs;

/// <summary>One whole random run: a cluster, a load, faults, and what happens when they stop.</summary>
internal sealed record RunShape
{
    public required ClusterShape Cluster { get; init; }

    public FaultProfile Faults { get; init; } = FaultProfile.None;

    public int Transactions { get; init; } = 12;

    /// <summary>Over which time the clients start their transactions.</summary>
    public long ArrivalWindow { get; init; } = 20_000;

    public double ReadOnlyShare { get; init; } = 0.15;

    public double UserExceptions { get; init; }

    /// <summary>Whether tables are swapped while transactions run.</summary>
    public bool Swaps { get; init; }
}

/// <summary>What a run came to.</summary>
internal sealed record RunResult(ulong Digest, long Events, long VirtualMicroseconds, IReadOnlyList<TransactionRecord> Records, IReadOnlyList<FinalAccount> Final);

/// <summary>
/// Runs a random load to its end and judges it: everything ends once faults have stopped (I4), the history is serializable (I1,
/// I2), and what the logs alone give back after every silo has died is what was there before (I3).
/// </summary>
internal sealed class SimulatedRun
{
    private readonly RunShape _shape;
    private readonly ulong _seed;
    private readonly SimulationRandom _random;
    private readonly SimulatedCluster _cluster;
    private readonly RandomWorkload _workload;

    private SimulatedRun(RunShape shape, ulong seed, Action<SimulatedCluster>? prepare)
    {
        _shape = shape;
        _seed = seed;
        _random = new SimulationRandom(SimulationRandom.Mix(seed ^ 0xABCDEF));
        _cluster = new SimulatedCluster(shape.Cluster, seed);
        _workload = new RandomWorkload(_random.Fork(1), shape.Cluster, shape.ReadOnlyShare, shape.UserExceptions);
        prepare?.Invoke(_cluster);
    }

    /// <summary>Executes; throws <see cref="SimulationFailedException"/>, trace included, when an invariant breaks.</summary>
    public static RunResult Execute(RunShape shape, ulong seed, Action<SimulatedCluster>? prepare = null)
    {
        var run = new SimulatedRun(shape, seed, prepare);
        try
        {
            return run.Execute();
        }
        catch (SimulationFailedException e)
        {
            throw new SimulationFailedException(e.Kind, run.Describe(e), e);
        }
    }

    private RunResult Execute()
    {
        _cluster.StartNodes();
        Load();
        var faults = new FaultInjector(_cluster, _shape.Faults, _random.Fork(2));
        faults.Start();
        _cluster.Loop.RunFor(_shape.ArrivalWindow);
        faults.Stop();
        var after = Verdict.Judge(_cluster);
        return new RunResult(_cluster.Loop.Digest, _cluster.Loop.EventsRun, _cluster.Loop.Now, _cluster.Records, after);
    }

    private void Load()
    {
        for (var i = 0; i < _shape.Transactions; i++)
        {
            var spec = _workload.Next();
            _cluster.Loop.Queue(_random.Between(0, _shape.ArrivalWindow), EventKind.Client, 0, () =>
            {
                var alive = _cluster.Alive.ToArray();
                _cluster.Submit(_random.Pick(alive), spec);
            });
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

    private string Describe(SimulationFailedException e)
    {
        var text = new StringBuilder(e.Message).AppendLine().AppendLine($"seed {_seed}, {_cluster.Loop.EventsRun} events, {_cluster.Loop.Now} µs");
        foreach (var line in _cluster.Trace) text.AppendLine(line);
        return text.ToString();
    }
}
