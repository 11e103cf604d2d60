namespace Polyjuice.Lab.Experiments;

/// <summary>What an experiment measures, and how it is shown.</summary>
internal sealed record ExperimentPlan
{
    /// <summary>What is measured. They are interleaved.</summary>
    public required IReadOnlyList<ExperimentArm> Arms { get; init; }

    /// <summary>How often, the warm-up aside; at least 1.</summary>
    public required int Rounds { get; init; }

    /// <summary>What is written beside the results: sizes, clients, latencies, seconds.</summary>
    public required IReadOnlyDictionary<string, string> Settings { get; init; }

    /// <summary>What is drawn in each diagram.</summary>
    public required IReadOnlyList<DrawnFigure> Drawn { get; init; }

    /// <summary>The diagrams, in order. One that is not named here has an x axis without a label.</summary>
    public required IReadOnlyList<ExperimentPanel> Panels { get; init; }

    /// <summary>What is compared round by round.</summary>
    public IReadOnlyList<PairedRatio> Ratios { get; init; } = [];

    /// <summary>Says what the points show.</summary>
    public Func<IReadOnlyList<ExperimentPoint>, IEnumerable<Finding>> Findings { get; init; } = _ => [];

    /// <summary>Whether time is virtual. Reports say so.</summary>
    public bool IsSimulated { get; init; }

    /// <summary>Whether the process is warmed up before.</summary>
    public bool WarmsUp { get; init; } = true;
}

/// <summary>A sentence about what was found.</summary>
/// <param name="Text">The sentence.</param>
/// <param name="Holds">Whether what it claims is so; <see langword="null"/> if it claims nothing.</param>
internal sealed record Finding(string Text, bool? Holds = null)
{
    /// <inheritdoc/>
    public override string ToString() =>
        Holds switch { true => "[holds] ", false => "[DOES NOT HOLD] ", _ => "" } + Text;
}
