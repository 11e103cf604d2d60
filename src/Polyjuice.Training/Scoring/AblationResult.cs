using Polyjuice.Training.Search;

namespace Polyjuice.Training.Scoring;

/// <summary>
/// What is known of the cells of a table, after the factor analysis of the Polyjuice paper (§7.2, Fig. 6).
/// </summary>
/// <param name="Table">How the table did.</param>
/// <param name="Compared">How the others did, in their order.</param>
/// <param name="Best">The one of these that cells are exchanged with.</param>
/// <param name="Groups">
/// The groups of cells in which the two differ, those first without which the table loses most. Of an ablation that was
/// ended, those that were done.
/// </param>
/// <param name="Wanted">How many groups there are.</param>
internal sealed record AblationResult(
    TrialResult Table,
    IReadOnlyList<TrialResult> Compared,
    TrialResult Best,
    IReadOnlyList<AblatedGroup> Groups,
    int Wanted)
{
    /// <summary>Whether nobody ended it before its end.</summary>
    public bool IsWhole => Groups.Count == Wanted;
}

/// <summary>A group of cells.</summary>
/// <param name="Kind">What they decide.</param>
/// <param name="Type">The transaction type whose cells they are; <see langword="null"/>: all.</param>
/// <param name="Cells">How many of them differ.</param>
/// <param name="Without">The table with the group's cells taken from the other one, by the table.</param>
/// <param name="Alone">The other one with the group's cells taken from the table, by the other one.</param>
internal sealed record AblatedGroup(CellKind Kind, string? Type, int Cells, ScoreChange Without, ScoreChange Alone);

/// <summary>What a change does to throughput.</summary>
/// <param name="Gain">The mean of the ratios, seed by seed, less one.</param>
/// <param name="Error">The standard error of that.</param>
internal readonly record struct ScoreChange(double Gain, double Error);
