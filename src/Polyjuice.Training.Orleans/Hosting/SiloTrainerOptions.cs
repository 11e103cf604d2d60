using System.ComponentModel.DataAnnotations;
using Polyjuice.Training.Service.Forecasting;

namespace Orleans.Configuration;

/// <summary>
/// A trainer in the silos themselves, the same on all silos. Validated at start, with the option's name.
/// </summary>
public sealed class SiloTrainerOptions : IValidatableObject
{
    /// <summary>
    /// The folder that it keeps its state in, on a file system that all silos share and that locks files for all of
    /// them (NFS 4): whichever silo it moves to goes on there. Required; made if it is not there.
    /// </summary>
    public string StateFolder { get; set; } = "";

    /// <summary>
    /// How long a message between silos is under way, one way: tables are trained for that. Default 0.5 ms; 0 to 10 s.
    /// </summary>
    [Range(typeof(TimeSpan), "00:00:00", "00:00:10")]
    public TimeSpan MessageTime { get; set; } = TimeSpan.FromMilliseconds(0.5);

    /// <summary>How long an append to the logs takes. Default 5 ms; 0 to 10 s.</summary>
    [Range(typeof(TimeSpan), "00:00:00", "00:00:10")]
    public TimeSpan AppendTime { get; set; } = TimeSpan.FromMilliseconds(5);

    /// <summary>Silos that tables are trained for. Default 2; 1 to 64.</summary>
    [Range(1, 64)]
    public int Silos { get; set; } = 2;

    /// <summary>Processors of a silo that tables are trained for. Default 1; 1 to 64.</summary>
    [Range(1, 64)]
    public int Cores { get; set; } = 1;

    /// <summary>Transactions at a time, at the peak, that tables are trained for. Default 64; 1 to 100,000.</summary>
    [Range(1, 100_000)]
    public int Clients { get; set; } = 64;

    /// <summary>
    /// What tables are trained for: the peak of the coming week, or the load that there is now, by which another table
    /// is trained each time that it shifts. Default <see cref="ForecastKind.Week"/>.
    /// </summary>
    [EnumDataType(typeof(ForecastKind))]
    public ForecastKind Forecast { get; set; }

    /// <summary>
    /// What one conflict rate is taken of; silos begin a file of their traces with each. Default 1 h; 5 min to a day,
    /// of which it is a whole part; from 10 s on if <see cref="Forecast"/> is <see cref="ForecastKind.Now"/>.
    /// </summary>
    [Range(typeof(TimeSpan), "00:00:10", "1.00:00:00")]
    public TimeSpan Window { get; set; } = TimeSpan.FromHours(1);

    /// <summary>
    /// Transactions that arrive within the same interval of this length are in conflict if they access the same and one
    /// of them updates it: about as long as one is under way. Default 10 ms; 1 µs to 1 h.
    /// </summary>
    [Range(typeof(TimeSpan), "00:00:00.000001", "01:00:00")]
    public TimeSpan ConflictInterval { get; set; } = TimeSpan.FromMilliseconds(10);

    /// <summary>
    /// The first table is trained after so many windows. Default: those of a day; 3 if <see cref="Forecast"/> is
    /// <see cref="ForecastKind.Now"/>. 1 to 10,000.
    /// </summary>
    [Range(1, 10_000)]
    public int? FirstAfterWindows { get; set; }

    /// <summary>
    /// How far the forecast peak of the conflict rate must be from the one that the table in force was trained for, as
    /// a share of it. Default 0.15; 0.01 to 10.
    /// </summary>
    [Range(0.01, 10.0)]
    public double Threshold { get; set; } = 0.15;

    /// <summary>How long a search takes. Default 20 min; 1 s to a day.</summary>
    [Range(typeof(TimeSpan), "00:00:01", "1.00:00:00")]
    public TimeSpan Budget { get; set; } = TimeSpan.FromMinutes(20);

    /// <summary>A search ends after so many replays, too. Default: its time alone ends it; 1 or more.</summary>
    [Range(1L, long.MaxValue)]
    public long? Replays { get; set; }

    /// <summary>
    /// Transactions that a replay measures; half as many are made before. Default: 20 for each client, at least 1,200,
    /// so that queues fill. 20 to 1,000,000.
    /// </summary>
    [Range(20, 1_000_000)]
    public int? ReplayTransactions { get; set; }

    /// <summary>
    /// Replays of each table in the trial on held-out transactions that decides. Default 10; 2 to 1,000.
    /// </summary>
    [Range(2, 1_000)]
    public int TrialReplays { get; set; } = 10;

    /// <summary>
    /// Threads that a search takes, at the lowest priority. Default 1; 1 to 64, and fewer than the silo's processors.
    /// </summary>
    [Range(1, 64)]
    public int Threads { get; set; } = 1;

    /// <summary>How often it looks for traces. Default 1 min; 1 s to 1 h.</summary>
    [Range(typeof(TimeSpan), "00:00:01", "01:00:00")]
    public TimeSpan LookInterval { get; set; } = TimeSpan.FromMinutes(1);

    /// <summary>
    /// How often each silo makes sure that there is a trainer: so long, and as long as it takes to find a silo dead,
    /// nobody trains when the trainer's silo has died. Default 30 s; 0.1 s to 1 h.
    /// </summary>
    [Range(typeof(TimeSpan), "00:00:00.1", "01:00:00")]
    public TimeSpan CheckInterval { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>
    /// Deletes files of traces that were read and have not changed for so long. Default: deletes nothing; 1 min or
    /// more.
    /// </summary>
    [Range(typeof(TimeSpan), "00:01:00", "3650.00:00:00")]
    public TimeSpan? KeepTraces { get; set; }

    /// <summary>
    /// The private key (PEM) that it signs releases with, whose public half is one of
    /// <see cref="Polyjuice.Publishing.Following.PublishedPoliciesOptions.PublisherKeys"/>. A secret. Needed where
    /// there are such keys; without, nothing is signed. Default: none.
    /// </summary>
    public string? SigningKey { get; set; }

    /// <inheritdoc/>
    IEnumerable<ValidationResult> IValidatableObject.Validate(ValidationContext validationContext)
    {
        if (string.IsNullOrWhiteSpace(StateFolder))
        {
            yield return new(
                $"{nameof(StateFolder)} is missing: a trainer needs a folder that all silos share.",
                [nameof(StateFolder)]);
        }

        if (Window > TimeSpan.Zero && TimeSpan.TicksPerDay % Window.Ticks != 0)
        {
            yield return new(
                $"{nameof(Window)} is {Window}, and a day must be a whole number of them "
                + "(00:00:20, 00:05, 00:15, 01:00, 06:00).",
                [nameof(Window)]);
        }

        if (Forecast == ForecastKind.Week && Window < WindowGrid.SeasonalLengthMin)
        {
            yield return new(
                $"{nameof(Window)} is {Window}, and with {nameof(Forecast)} {ForecastKind.Week} it is "
                + $"at least {WindowGrid.SeasonalLengthMin}; "
                + $"shorter ones are for {nameof(Forecast)} {ForecastKind.Now}.",
                [nameof(Window)]);
        }
    }
}
