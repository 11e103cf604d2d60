using Polyjuice.Benchmarking.Load;
using Polyjuice.Benchmarking.Workloads;
using Polyjuice.Embedded;
using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Faults;

namespace Polyjuice.Benchmarking.Simulated;

/// <summary>The clients of a simulated run, and the faults that are planned for certain operations.</summary>
internal sealed class Load
{
    private readonly SimulatedCase _run;
    private readonly SimulatedEmbeddedCluster _cluster;
    private readonly IWorkload _workload;
    private readonly WorkloadCluster _view;
    private readonly int[] _outcomes;
    private readonly Queue<(int Operation, FaultKinds Kind)> _plan = [];
    private int _started;

    public Load(SimulatedCase run, SimulatedEmbeddedCluster cluster, IWorkload workload, WorkloadCluster view, int[] outcomes)
    {
        _run = run;
        _cluster = cluster;
        _workload = workload;
        _view = view;
        _outcomes = outcomes;
        var kinds = FaultLedger.Kinds.Where(kind => run.Faults.Nodes.StrikeKinds.HasFlag(kind)).ToArray();
        if (kinds.Length == 0) return;
        var random = new SimulationRandom(run.Seed ^ 0x57217E);
        foreach (var operation in Enumerable.Range(0, run.Faults.Nodes.Strikes).Select(_ => random.Next(run.Operations)).Order())
            _plan.Enqueue((operation, random.Pick(kinds)));
    }

    /// <summary>Makes one client's share of the operations, one after the other.</summary>
    public async Task LoopAsync(int index)
    {
        var seed = BenchmarkRandom.Derive(_run.Seed, (ulong)index + 1);
        var random = new BenchmarkRandom(seed ^ 0x7417);
        var client = _workload.CreateClient(_view, new ClientSettings(WorkloadVariant.Transactional, _run.Theta, seed));
        for (var n = index; n < _run.Operations; n += _run.Clients)
        {
            var think = _run.ThinkMax == 0 ? 0 : (long)(random.NextDouble() * _run.ThinkMax);
            if (think > 0) await Task.Delay(TimeSpan.FromMicroseconds(think), _cluster.TimeProvider);
            _started++;
            while (_plan.TryPeek(out var next) && next.Operation < _started) _cluster.Strike(_plan.Dequeue().Kind);
            _outcomes[(int)await client.RunOneAsync()]++;
        }
    }
}
