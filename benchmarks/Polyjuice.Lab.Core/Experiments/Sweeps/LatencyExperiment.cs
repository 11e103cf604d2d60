using Polyjuice.Lab.Running;
using Polyjuice.Policies;

namespace Polyjuice.Lab.Experiments.Sweeps;

/// <summary>Latency of each type of operation, percentile by percentile (the Polyjuice paper, table 2).</summary>
/// <param name="name">See <see cref="IExperiment.Name"/>.</param>
/// <param name="description">See <see cref="IExperiment.Description"/>.</param>
/// <param name="planOf">The workload, which tells its types of operations apart.</param>
/// <param name="tables">What is compared.</param>
internal sealed class LatencyExperiment(
    string name, string description, Func<ExperimentScale, BenchmarkPlan> planOf,
    Func<ExperimentScale, IReadOnlyList<IPolicyCompiler>> tables) : IExperiment
{
    private static readonly int[] _percentiles = [50, 90, 99];

    /// <inheritdoc/>
    public string Name => name;

    /// <inheritdoc/>
    public string Description => description;

    /// <inheritdoc/>
    public ExperimentPlan Plan(ExperimentScale scale)
    {
        ArgumentNullException.ThrowIfNull(scale);
        var plan = planOf(scale);
        var types = plan.Workload.OperationTypes.Select(type => type.Name).ToList();
        return new ExperimentPlan
        {
            Arms = [.. tables(scale)
                .Select(table => new ExperimentArm(types[0], table.Name, async (round, cancellationToken) => Split(
                    types,
                    await new WorkloadCase(scale.Start, plan, table).MeasureAsync(round, cancellationToken))))],
            Rounds = scale.Rounds,
            WarmsUp = scale.Name != ExperimentScale.Brief.Name && scale.Operations is null,
            Settings = PlanSettings.Of(plan, scale.Rounds),
            Panels = [.. types.Select(type => new ExperimentPanel(type, "percentile", ChartKind.Bars))],
            Drawn = [new("ms", "latency, ms, retries included")],
        };
    }

    private static IReadOnlyList<ArmSample> Split(List<string> types, IReadOnlyDictionary<string, double> figures) =>
        [
            .. from type in types
               from percentile in _percentiles
               let latency = new Dictionary<string, double> { ["ms"] = figures[$"{type} p{percentile} ms"] }
               select new ArmSample(percentile, latency) { Panel = type }
        ];
}
