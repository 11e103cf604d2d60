using Polyjuice.Policies;
using Polyjuice.Training.Scoring;

namespace Polyjuice.Cli.Explaining;

/// <summary>What was found out about a policy.</summary>
/// <param name="Explanation">In sentences.</param>
/// <param name="Table">The policy, spelled out; its catalogue has the types that are shown.</param>
/// <param name="Others">What it is compared with, spelled out over the same sites.</param>
/// <param name="Ablation">What its cells are worth; <see langword="null"/> if nothing was replayed.</param>
/// <param name="WasEnded">Whether somebody ended it.</param>
internal sealed record Explained(
    PolicyExplanation Explanation,
    PolicyDocument Table,
    IReadOnlyList<PolicyDocument> Others,
    AblationResult? Ablation,
    bool WasEnded);
