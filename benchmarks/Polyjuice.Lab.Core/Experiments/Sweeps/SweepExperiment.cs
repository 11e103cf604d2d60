using Polyjuice.Policies;

namespace Polyjuice.Lab.Experiments.Sweeps;

/// <summary>Compares tables on workloads while one thing is varied: contention, clients, silos.</summary>
/// <param name="name">See <see cref="IExperiment.Name"/>.</param>
/// <param name="description">See <see cref="IExperiment.Description"/>.</param>
/// <param name="sweeps">The diagrams.</param>
/// <param name="tables">The curves of each.</param>
internal sealed class SweepExperiment(
    string name, string description, Func<ExperimentScale, IReadOnlyList<Sweep>> sweeps,
    Func<ExperimentScale, IReadOnlyList<IPolicyCompiler>> tables) : IExperiment
{
    /// <inheritdoc/>
    public string Name => name;

    /// <inheritdoc/>
    public string Description => description;

    /// <summary>What is drawn.</summary>
    public IReadOnlyList<DrawnFigure> Drawn { get; init; } =
    [
        new("committed/s", "committed a second"), new("aborted", "share of attempts aborted")
    ];

    /// <summary>What is said on top of which table wins where.</summary>
    public Func<IReadOnlyList<ExperimentPoint>, IEnumerable<Finding>> Claims { get; init; } = _ => [];

    /// <inheritdoc/>
    public ExperimentPlan Plan(ExperimentScale scale)
    {
        ArgumentNullException.ThrowIfNull(scale);
        var all = sweeps(scale);
        var compared = tables(scale);
        var first = all[0].PlanAt(all[0].Xs[0]);
        return new ExperimentPlan
        {
            Arms =
            [
                .. from sweep in all
                   from x in sweep.Xs
                   from table in compared
                   let workload = new WorkloadCase(scale.Start, sweep.PlanAt(x), table, sweep.ThetaAt(x))
                   select new ExperimentArm(sweep.Panel, table.Name, x, workload.MeasureAsync)
            ],
            Rounds = scale.Rounds,
            WarmsUp = scale.Name != ExperimentScale.Brief.Name && scale.Operations is null,
            Settings = new Dictionary<string, string>(PlanSettings.Of(first, scale.Rounds))
            {
                ["sizes"] = string.Join(
                    "; ",
                    all.Select(sweep => sweep.PlanAt(sweep.Xs[0]))
                        .Select(plan => plan.Workload.Describe(plan.Parameters)).Distinct()),
            },
            Panels = [.. all.Select(sweep => new ExperimentPanel(sweep.Panel, sweep.XLabel, sweep.Kind))],
            Drawn = Drawn,
            Findings = points => [.. Claims(points), .. Winners.Of(points)],
        };
    }
}
