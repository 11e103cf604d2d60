using Polyjuice.Lab.Load;
using Polyjuice.Policies;
using Polyjuice.Training.Replay;

namespace Polyjuice.Lab.Choosing;

/// <summary>
/// Measures tables under drawn applications in virtual time (<see cref="ReplayCluster"/>), where no other process takes
/// the processors: the same seed gives the same measurements on any machine.
/// </summary>
/// <param name="tables">The tables.</param>
/// <param name="measured">Transactions of each measurement.</param>
internal sealed class DrawnLoads(IReadOnlyList<IPolicyCompiler> tables, int measured)
{
    private static readonly long[] _network = [0, 200, 1_000, 1_000, 2_000];
    private static readonly long[] _appends = [0, 1_000, 5_000, 5_000, 10_000];
    private static readonly int[] _clients = [16, 64, 64, 128];

    private readonly IReadOnlyList<IPolicyCompiler> _tables = [.. tables.Select(table => new ObservedPolicy(table))];

    /// <summary>Measures one.</summary>
    /// <param name="seed">Of the application, the cluster and the run.</param>
    /// <exception cref="ReplayFailedException">The engine or the replay is broken.</exception>
    public IReadOnlyList<ChoiceMeasurement> Measure(ulong seed)
    {
        var random = new BenchmarkRandom(BenchmarkRandom.Derive(seed, 1));
        var silos = random.Between(1, 3);
        var workload = ReplayWorkload.Of(DrawnApplication.Draw(BenchmarkRandom.Derive(seed, 2), silos), silos);
        var settings = new ReplaySettings
        {
            Silos = silos, CoresPerSilo = random.Between(1, 2), Clients = random.Any(_clients),
            NetworkMicroseconds = silos > 1 ? random.Any(_network) : 0, AppendMicroseconds = random.Any(_appends),
            Costs = new ReplayCosts().Scaled(random.Between(1, 8)), DeclaresAccesses = random.Next(2) == 0,
        }.WithMeasured(measured);
        var name = FormattableString.Invariant($"drawn-{seed}");
        return
        [
            .. _tables.Select(table =>
            {
                var score = ReplayCluster.Run(workload, table, settings, ReplayPart.All, seed);
                return new ChoiceMeasurement(
                    name, name, silos, 1, table.Name, score.VirtualMicroseconds / 1e6, score.Committed,
                    [.. score.Counts.Values]);
            }),
        ];
    }
}
