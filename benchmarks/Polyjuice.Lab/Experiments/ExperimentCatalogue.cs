using Polyjuice.Lab.Experiments;
using Polyjuice.Lab.Experiments.OverTime;
using Polyjuice.Lab.Experiments.Recon;
using Polyjuice.Lab.Running;
using Tpcc.Workload;

namespace Polyjuice.Lab.Tool.Experiments;

/// <summary>All experiments, in the order of reports.</summary>
internal static class ExperimentCatalogue
{
    /// <summary>
    /// Those of publishing, which no paper has. The quick set, which
    /// is to take no more than a quarter of an hour, does without.
    /// </summary>
    public static IReadOnlyList<IExperiment> OfPublishing { get; } =
    [
        new SwitchExperiment(TpccWorkload.Definition, scale => TpccExperiments.Sizes(scale, 1), publishes: true),
        new RollbackExperiment(TpccWorkload.Definition, scale => TpccExperiments.Sizes(scale, 1)),
    ];

    /// <summary>Those over time, in which the table or the workload changes while it runs.</summary>
    public static IReadOnlyList<IExperiment> OverTime { get; } =
    [
        new SwitchExperiment(TpccWorkload.Definition, scale => TpccExperiments.Sizes(scale, 1)),
        .. OfPublishing,
        .. ShiftingExperiments.All,
    ];

    /// <summary>All of them.</summary>
    public static IReadOnlyList<IExperiment> All { get; } =
    [
        .. TpccExperiments.All,
        .. ContentionExperiments.All,
        .. OverTime,
        new ReconExperiment(),
    ];

    /// <summary>What stands for <see cref="OverTime"/> where names of experiments do.</summary>
    public const string OverTimeName = "over-time";

    /// <summary>The set of a scale.</summary>
    public static IReadOnlyList<IExperiment> Of(ExperimentScale scale) =>
        scale.Of(All, [.. All.Except(OfPublishing)], All);

    /// <summary>Those that a name stands for: one, or <see cref="OverTime"/>.</summary>
    /// <exception cref="CommandInputException">There is none.</exception>
    public static IEnumerable<IExperiment> Choose(string name) => name == OverTimeName ? OverTime : [Get(name)];

    /// <summary>The one of that name.</summary>
    /// <exception cref="CommandInputException">There is none.</exception>
    public static IExperiment Get(string name) => All.FirstOrDefault(experiment => experiment.Name == name)
        ?? throw new CommandInputException(
            $"There is no experiment \"{name}\". Valid: "
            + $"{string.Join(", ", All.Select(experiment => experiment.Name))}.");

    /// <summary>Its place in reports; those that are not known come last.</summary>
    public static int Place(string name) => All.TakeWhile(experiment => experiment.Name != name).Count();
}
