using System.Globalization;
using Polyjuice.Benchmarking.Experiments.Sweeps;
using Polyjuice.Benchmarking.Simulated;
using Polyjuice.Benchmarking.Workloads;
using Polyjuice.Execution;
using Polyjuice.Policies;
using Polyjuice.Simulation.Network;
using Polyjuice.Simulation.Storage;

namespace Polyjuice.Benchmarking.Experiments.VirtualTime;

/// <summary>
/// The papers' 48 workers, in virtual time: messages and appends take what they take, and code takes none. So it shows who waits for whom however few processors there are, and nothing of what work costs: a table that wastes work looks better
/// here than it is. The same seed gives the same figures on any machine.
/// </summary>
/// <param name="panels">The workloads, by the name of their diagram.</param>
public sealed class SimulatedExperiment(params IReadOnlyList<(string Panel, WorkloadDefinition Workload)> panels) : IExperiment
{
    private const int Workers = 48;
    private const int Silos = 4;
    private const long MessageMicroseconds = 1_000;
    private const long AppendMicroseconds = 5_000;

    /// <inheritdoc/>
    public string Name => "simulated";

    /// <inheritdoc/>
    public string Description => $"{Workers} workers on {Silos} silos in virtual time, in which only waiting takes time, by skew (Polyjuice, fig. 8a and 9).";

    /// <inheritdoc/>
    public ExperimentPlan Plan(ExperimentScale scale)
    {
        ArgumentNullException.ThrowIfNull(scale);
        var operations = (int)(scale.Operations ?? scale.Of(200, 600, 20_000));
        var records = scale.Of(200, 4_096, 4_096);
        var thetas = scale.Of<double[]>([1.2], [0, 1.2], [0, 0.4, 0.8, 1, 1.2, 2, 3]);
        return new ExperimentPlan
        {
            Arms =
            [
                .. from panel in panels from theta in thetas from table in scale.TablesOr("occ", "locking", "ic3", "dirty-public", "cormcc")
                   select new ExperimentArm(panel.Panel, table.Name, theta, (round, _) => Task.FromResult(Measure(panel.Workload, table, theta, operations, records, scale.Seed + (ulong)round))),
            ],
            Rounds = scale.Rounds,
            WarmsUp = false,
            IsSimulated = true,
            Settings = new Dictionary<string, string>
            {
                ["clients"] = Workers.ToString(CultureInfo.InvariantCulture), ["silos"] = Silos.ToString(CultureInfo.InvariantCulture), ["records"] = records.ToString(CultureInfo.InvariantCulture),
                ["operations"] = operations.ToString(CultureInfo.InvariantCulture), ["a message"] = $"{MessageMicroseconds / 1_000} ms", ["an append"] = $"{AppendMicroseconds / 1_000} ms", ["seed"] = scale.Seed.ToString(CultureInfo.InvariantCulture),
            },
            Panels = [.. panels.Select(panel => new ExperimentPanel(panel.Panel, "Zipfian skew θ"))],
            Drawn = [new("committed/s", "committed a virtual second"), new("aborts", "aborts by conflict for each commit")],
            Findings = Winners.Of,
        };
    }

    private static IReadOnlyDictionary<string, double> Measure(WorkloadDefinition workload, IPolicyCompiler table, double theta, int operations, int records, ulong seed)
    {
        // It throws if the invariant does not hold, before or after all silos have died.
        var result = SimulatedWorkload.Run(new SimulatedCase
        {
            Workload = workload, Policy = table, Seed = seed, Silos = Silos, Clients = Workers, Operations = operations, Accounts = records, Theta = theta,
            Network = new NetworkProfile { DelayMin = MessageMicroseconds, DelayMax = MessageMicroseconds }, Storage = new StorageProfile { DelayMin = AppendMicroseconds, DelayMax = AppendMicroseconds },
        });
        var committed = result[OperationOutcome.Committed];
        var aborts = result.Statistics.Engine.AbortsByReason.Where((_, reason) => ((AbortReason)reason).IsConflict()).Sum();
        return new Dictionary<string, double> { ["committed/s"] = committed / Math.Max(result.Loaded.TotalSeconds, 1e-9), ["aborts"] = (double)aborts / Math.Max(1, committed) };
    }
}
