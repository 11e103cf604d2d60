using Polyjuice.Lab.Workloads;

namespace Polyjuice.Lab.Experiments.OverTime;

/// <summary>A time in which a workload stays as it is.</summary>
/// <param name="Text">What it is, in a few words.</param>
/// <param name="Begin">Makes the workload so, while clients run.</param>
internal sealed record LoadPhase(string Text, Action<IWorkload> Begin);
