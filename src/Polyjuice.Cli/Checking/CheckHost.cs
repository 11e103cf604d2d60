using Polyjuice.Simulation.Runs;
using Polyjuice.Simulation.Workloads;

namespace Polyjuice.Cli.Checking;

/// <summary>What runs the transactions of a check.</summary>
internal sealed record CheckHost(string Name, string Summary, IReadOnlyList<WorkloadKind> Workloads, RunExecution Execute)
{
    /// <summary>The engine with synthetic grains: fast, and it sees the most.</summary>
    public static CheckHost Engine { get; } = new("engine", "the engine with synthetic grains", [WorkloadKind.ListAppend, WorkloadKind.Register, WorkloadKind.Smallbank, WorkloadKind.Mixed], Simulator.Run);

    /// <summary>Real grain classes on simulated silos: the host is checked with the engine.</summary>
    public static CheckHost Grains { get; } = new("grains", "real grains on simulated silos", GrainSimulator.Workloads, GrainSimulator.Run);

    /// <summary>Refuses a workload that the host has none of.</summary>
    /// <exception cref="ArgumentException">It has none; the message lists those that it has.</exception>
    public void Require(WorkloadKind? workload)
    {
        if (workload is not { } kind || Workloads.Contains(kind)) return;
        throw new ArgumentException($"--workload: host {Name} has no {kind.ToString().ToLowerInvariant()}. Valid: {string.Join(", ", Workloads.Select(w => w.ToString().ToLowerInvariant()))}.");
    }

    /// <summary>All.</summary>
    public static IReadOnlyList<CheckHost> All { get; } = [Engine, Grains];

    /// <summary>The one of that name.</summary>
    /// <exception cref="ArgumentException">There is none; the message lists those that are.</exception>
    public static CheckHost Find(string name) =>
        All.FirstOrDefault(host => string.Equals(host.Name, name, StringComparison.OrdinalIgnoreCase))
        ?? throw new ArgumentException($"--host: there is no host \"{name}\". Valid: {string.Join(", ", All.Select(host => host.Name))}.");
}
