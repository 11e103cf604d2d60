using Polyjuice.Benchmarking.Simulated;
using Polyjuice.Benchmarking.Workloads;
using Polyjuice.Benchmarking.Workloads.ListAppend;
using Polyjuice.Benchmarking.Workloads.Micro;
using Polyjuice.Benchmarking.Workloads.Ycsb;
using Polyjuice.Embedded;
using Polyjuice.Hosting;
using Polyjuice.Isolation;
using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Faults;
using Polyjuice.Simulation.Runs;
using Polyjuice.Simulation.Workloads;
using SmallbankWorkload = Smallbank.Workload.SmallbankWorkload;

namespace Polyjuice.Cli.Checking;

/// <summary>Runs the cases of a check with real grains: shapes, faults and sizes mean the same as for the engine alone.</summary>
internal static class GrainSimulator
{
    private const int AccountsMin = 8;
    private const int YcsbOperationsMax = 4;

    /// <summary>What there are grains for.</summary>
    public static IReadOnlyList<WorkloadKind> Workloads { get; } = [WorkloadKind.ListAppend, WorkloadKind.Smallbank, WorkloadKind.Mixed, WorkloadKind.Micro, WorkloadKind.Ycsb];

    /// <summary>One mix after the other, alone and several operations in one transaction, by the seed.</summary>
    private static WorkloadDefinition Ycsb { get; } = YcsbWorkload.Definition with
    {
        Create = parameters => YcsbWorkload.Definition.Create(parameters with
        {
            Mix = YcsbMix.All[(int)(parameters.Seed % (ulong)YcsbMix.All.Count)].Name,
            Operations = 1 + (int)(parameters.Seed / (ulong)YcsbMix.All.Count % YcsbOperationsMax),
        }),
    };

    /// <inheritdoc cref="RunExecution"/>
    public static RunResult Run(RunCase run, bool trace = false, Action<History>? keep = null)
    {
        var shape = Shapes.Of(run, trace);
        var cluster = shape.Cluster;
        var result = SimulatedWorkload.Run(
            new SimulatedCase
            {
                Workload = WorkloadOf(shape.Load.Kind),
                Policy = cluster.Policy(new NodeId(1)),
                Seed = run.Seed,
                Silos = cluster.Nodes,
                Partitions = cluster.Partitions,
                Accounts = Math.Max(AccountsMin, cluster.Accounts),
                Clients = shape.Clients == 0 ? shape.Transactions : shape.Clients,
                Operations = shape.Transactions,
                ThinkMax = shape.PauseMax,
                ClockSkewMax = cluster.SkewMax,
                FaultsMax = cluster.FaultBudget,
                Engine = cluster.Options,
                Faults = new SimulatedFaults { Nodes = shape.Faults, Network = cluster.Network, Storage = cluster.Storage, ClockJumpMax = cluster.SkewMax },
                Trace = trace,
            },
            keep);
        return new RunResult([], [])
        {
            Digest = result.Digest,
            Events = result.Events,
            VirtualMicroseconds = (long)result.Virtual.TotalMicroseconds,
            Workload = shape.Load.Kind,
            Transactions = shape.Transactions,
            Committed = result[OperationOutcome.Committed],
            Attempts = (int)result.Statistics.Engine.Attempts,
            Resumes = result.Statistics.Engine.Resumes,
            AbortsByReason = result.Statistics.Engine.AbortsByReason,
            Faults = result.Faults,
            Reordered = result.Reordered,
            Coverage = new ProtocolCoverage(),
        };
    }

    private static WorkloadDefinition WorkloadOf(WorkloadKind kind) => kind switch
    {
        WorkloadKind.Smallbank => SmallbankWorkload.Smallbank,
        // What a shape means by a mixed load is closest to transactions on lists.
        WorkloadKind.Micro => MicroWorkload.Definition,
        WorkloadKind.Ycsb => Ycsb,
        WorkloadKind.ListAppend or WorkloadKind.Mixed => ListAppendWorkload.Definition,
        _ => throw new ArgumentOutOfRangeException(nameof(kind), kind, "No grains do that."),
    };
}
