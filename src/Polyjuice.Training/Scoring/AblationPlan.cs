using Polyjuice.Policies;
using Polyjuice.Training.Replay;

namespace Polyjuice.Training.Scoring;

/// <summary>What is to be found out about a table.</summary>
internal sealed record AblationPlan
{
    /// <summary>Whose held-out part is replayed.</summary>
    public required ReplayWorkload Workload { get; init; }

    /// <summary>Replays a table.</summary>
    public required ITableEvaluator Evaluator { get; init; }

    /// <summary>The table.</summary>
    public required PolicyDocument Table { get; init; }

    /// <summary>What it is compared with; at least one. Cells are exchanged with the best of these.</summary>
    public required IReadOnlyList<PolicyDocument> Compared { get; init; }

    /// <summary>Of everything that is drawn. Default 1.</summary>
    public ulong Seed { get; init; } = 1;

    /// <summary>With how many seeds each table is replayed; at least 2. Default 5.</summary>
    public int Replays { get; init; } = 5;

    /// <summary>Replays at a time; at least 1. The result does not depend on it. Default 2.</summary>
    public int Threads { get; init; } = 2;
}

/// <summary>How far an ablation is.</summary>
/// <param name="Done">Replays that are done.</param>
/// <param name="All">
/// Replays in all; not known before the tables themselves are replayed, and then <see langword="null"/>.
/// </param>
internal readonly record struct AblationProgress(int Done, int? All);
