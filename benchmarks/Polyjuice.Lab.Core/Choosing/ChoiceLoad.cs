using Polyjuice.Lab.Clusters;
using Polyjuice.Lab.Workloads;

namespace Polyjuice.Lab.Choosing;

/// <summary>Loads that one cluster serves one after the other, each under every table.</summary>
/// <param name="Workload">What clients do.</param>
/// <param name="Parameters">Its sizes.</param>
/// <param name="Shape">The cluster.</param>
/// <param name="Phases">Ways to do it; at least one.</param>
internal sealed record ChoiceLoad(
    WorkloadDefinition Workload, WorkloadParameters Parameters, ClusterShape Shape, IReadOnlyList<ChoicePhase> Phases);

/// <summary>One way to load a cluster.</summary>
/// <param name="Text">What it is, in a few words.</param>
/// <param name="Theta">Skew, where clients choose by one.</param>
/// <param name="Begin">Makes the workload so.</param>
internal sealed record ChoicePhase(string Text, double Theta, Action<IWorkload> Begin)
{
    /// <summary>Of a workload that has a skew and nothing else that varies.</summary>
    public static ChoicePhase Of(double theta) =>
        new(FormattableString.Invariant($"θ {theta:0.##}"), theta, static _ => { });
}
