namespace Polyjuice.Lab.Tool.Processes;

/// <summary>A run of silos in processes of their own, which are killed and stopped under load.</summary>
internal sealed record ProcessCase
{
    /// <summary>Who runs transactions.</summary>
    public ProcessEngine Engine { get; init; }

    /// <summary>Of all choices.</summary>
    public required int Seed { get; init; }

    /// <summary>Silos. With logs in files one, because those refuse a second one.</summary>
    public required int Silos { get; init; }

    /// <summary>How often a process is killed (kill -9).</summary>
    public required int Kills { get; init; }

    /// <summary>
    /// How long a process that was killed is gone at the most. The others find
    /// that it is dead after some 4 s: some come back before, some after.
    /// </summary>
    public required TimeSpan AbsenceMax { get; init; }

    /// <summary>How often a process stands still (SIGSTOP, and SIGCONT after <see cref="Pause"/>).</summary>
    public required int Stops { get; init; }

    /// <summary>How long.</summary>
    public required TimeSpan Pause { get; init; }

    /// <summary>
    /// How long it has to end when it goes on, if the others have declared it dead. It hears of that within seconds.
    /// </summary>
    public TimeSpan EndMax { get; init; } = TimeSpan.FromSeconds(20);

    /// <summary>
    /// How far the clocks of the first and the second silo's transactions are
    /// from each other: each by half, one before and one behind the machine's.
    /// </summary>
    public required TimeSpan Skew { get; init; }

    /// <summary>Whether logs are in files, and not in blobs.</summary>
    public required bool KeepsFiles { get; init; }

    /// <summary>Whether some grains take one call at a time.</summary>
    public required bool HasTurns { get; init; }

    /// <summary>How many cells there are to choose from; at least 12.</summary>
    public required int Cells { get; init; }

    /// <summary>Skew of the choice.</summary>
    public required double Theta { get; init; }

    /// <summary>Clients of the closed loop.</summary>
    public required int Clients { get; init; }

    /// <summary>How long callers wait for an answer.</summary>
    public required TimeSpan ResponseTimeout { get; init; }

    /// <summary>So many transactions commit at least from one fault to the next.</summary>
    public required int CommitsBetween { get; init; }

    /// <summary>Where evidence of a failed run is kept.</summary>
    public required string EvidenceFolder { get; init; }
}
