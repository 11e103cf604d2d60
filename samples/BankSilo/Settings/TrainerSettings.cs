using System.ComponentModel.DataAnnotations;

namespace BankSilo.Settings;

/// <summary>A trainer in the silos themselves: the configuration's section <c>Trainer</c>, the same on all silos. Validated at start, with the setting's name.</summary>
public sealed class TrainerSettings : IValidatableObject
{
    /// <summary>The section's name.</summary>
    public const string Section = "Trainer";

    /// <summary>Whether one of the silos trains tables for all of them. Default no: a trainer beside the silos does not take their processors.</summary>
    public bool Enabled { get; set; }

    /// <summary>The folder that it keeps its state in, on a file system that all silos share and that locks files for all of them (NFS 4): whichever silo it moves to goes on there.</summary>
    public string? StateFolder { get; set; }

    /// <summary>How long a message between silos is under way, one way, in milliseconds: tables are trained for that. Default 0.5; 0 to 10,000.</summary>
    [Range(0.0, 10_000.0)]
    public double NetworkMilliseconds { get; set; } = 0.5;

    /// <summary>How long an append to the logs takes, in milliseconds. Default 5; 0 to 10,000.</summary>
    [Range(0.0, 10_000.0)]
    public double AppendMilliseconds { get; set; } = 5;

    /// <summary>Silos that tables are trained for. Default 2; 1 to 64.</summary>
    [Range(1, 64)]
    public int Silos { get; set; } = 2;

    /// <summary>Transactions at a time, at the peak, that tables are trained for. Default 64; 1 to 100,000.</summary>
    [Range(1, 100_000)]
    public int Clients { get; set; } = 64;

    /// <summary>What one conflict rate is taken of; silos begin a file of their traces with each. Default 1 h; 5 min to a day, of which it is a whole part.</summary>
    [Range(typeof(TimeSpan), "00:05:00", "1.00:00:00")]
    public TimeSpan Window { get; set; } = TimeSpan.FromHours(1);

    /// <summary>The first table is trained after so many windows. Default: those of a day; 1 to 10,000.</summary>
    [Range(1, 10_000)]
    public int? FirstAfterWindows { get; set; }

    /// <summary>How far the forecast peak of the conflict rate must be from the one that the table in force was trained for, as a share of it. Default 0.15; 0.01 to 10.</summary>
    [Range(0.01, 10.0)]
    public double Threshold { get; set; } = 0.15;

    /// <summary>How long a search takes. Default 20 min; 1 s to a day.</summary>
    [Range(typeof(TimeSpan), "00:00:01", "1.00:00:00")]
    public TimeSpan Budget { get; set; } = TimeSpan.FromMinutes(20);

    /// <summary>Threads that a search takes, at the lowest priority. Default 1; 1 to 64, and fewer than the silo's processors.</summary>
    [Range(1, 64)]
    public int Threads { get; set; } = 1;

    /// <summary>How often it looks for traces. Default 1 min; 1 s to 1 h.</summary>
    [Range(typeof(TimeSpan), "00:00:01", "01:00:00")]
    public TimeSpan LookInterval { get; set; } = TimeSpan.FromMinutes(1);

    /// <summary>How often each silo makes sure that there is a trainer: so long, and as long as it takes to find a silo dead, nobody trains when the trainer's silo has died. Default 30 s; 0.1 s to 1 h.</summary>
    [Range(typeof(TimeSpan), "00:00:00.1", "01:00:00")]
    public TimeSpan CheckInterval { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>Deletes files of traces that were read and have not changed for so long. Default: deletes nothing; 1 min or more.</summary>
    [Range(typeof(TimeSpan), "00:01:00", "365.00:00:00")]
    public TimeSpan? KeepTraces { get; set; }

    /// <summary>The private key (PEM) that it signs releases with, whose public half is one of <c>Policies:PublisherKeys</c>. A secret. Needed where there are such keys.</summary>
    public string? SigningKey { get; set; }

    /// <inheritdoc/>
    public IEnumerable<ValidationResult> Validate(ValidationContext validationContext)
    {
        if (Enabled && string.IsNullOrEmpty(StateFolder))
            yield return new($"{Section}:{nameof(StateFolder)} is missing: a trainer needs a folder that all silos share.", [nameof(StateFolder)]);
        if (Window > TimeSpan.Zero && TimeSpan.TicksPerDay % Window.Ticks != 0)
            yield return new($"{Section}:{nameof(Window)} is {Window}, and a day must be a whole number of them (00:05, 00:15, 00:30, 01:00, 02:00, 06:00).", [nameof(Window)]);
    }
}
