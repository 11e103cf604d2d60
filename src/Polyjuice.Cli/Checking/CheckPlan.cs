using Polyjuice.Simulation.Runs;

namespace Polyjuice.Cli.Checking;

/// <summary>Which runs to check, and how long.</summary>
internal sealed record CheckPlan
{
    /// <summary>The case of every run, but for its seed, and what a hunt chooses.</summary>
    public required RunCase Case { get; init; }

    /// <summary>The first seed; a hunt's start.</summary>
    public ulong From { get; init; } = 1;

    /// <summary>Whether what earlier runs have reached guides the choice of later ones.</summary>
    public bool IsGuided { get; init; }

    /// <summary>The family that half of a hunt's fresh cases are of; none to draw all evenly.</summary>
    public string? Suits { get; init; }

    /// <summary>How many.</summary>
    public int Seeds { get; init; } = 1;

    /// <summary>Threads.</summary>
    public int Jobs { get; init; } = 1;

    /// <summary>No seed begins after this.</summary>
    public TimeSpan TimeMax { get; init; } = TimeSpan.MaxValue;

    /// <summary>Every so many seeds one runs twice: both must give the same digest.</summary>
    public int TwiceEvery { get; init; } = 100;

    /// <summary>A seed's history goes to this writer.</summary>
    public HistoryFile? History { get; init; }
}
