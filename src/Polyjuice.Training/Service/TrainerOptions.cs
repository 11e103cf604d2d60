using System.ComponentModel.DataAnnotations;
using Polyjuice.Policies;
using Polyjuice.Training.Replay;
using Polyjuice.Training.Scoring;
using Polyjuice.Training.Search;
using Polyjuice.Training.Service.Collecting;
using Polyjuice.Training.Service.Forecasting;
using Polyjuice.Training.Service.Retraining;

namespace Polyjuice.Training.Service;

/// <summary>What a <see cref="TrainerService"/> does, and how.</summary>
internal sealed record TrainerOptions
{
    /// <summary>
    /// The folder that it keeps its state in, made if it is not there: one trainer's alone. What is lost with it is the
    /// history of conflict rates, and a training under way.
    /// </summary>
    [Required]
    public required string StateFolder { get; init; }

    /// <summary>What tables are trained for.</summary>
    public required ReplaySettings Settings { get; init; }

    /// <summary>The windows that one conflict rate is taken of. Default: hours.</summary>
    public WindowGrid Windows { get; init; } = new(TimeSpan.FromHours(1));

    /// <summary>What tables are trained for. Default: the peak of the coming week.</summary>
    [EnumDataType(typeof(ForecastKind))]
    public ForecastKind Forecast { get; init; }

    /// <summary>How traces are collected.</summary>
    public TraceCollectorOptions Collecting { get; init; } = new();

    /// <summary>When a table is trained.</summary>
    public RetrainingOptions Retraining { get; init; } = new();

    /// <summary>What tables are searched for.</summary>
    public ScoreObjective Objective { get; init; } = ScoreObjective.Throughput;

    /// <summary>How.</summary>
    public ITableSearch Search { get; init; } = new SurrogateSearch();

    /// <summary>How long. Default 10 minutes.</summary>
    public SearchBudget Budget { get; init; } = new(TimeSpan.FromMinutes(10));

    /// <summary>Replays at a time. Default 2; 1 to 256.</summary>
    [Range(1, 256)]
    public int Threads { get; init; } = 2;

    /// <summary>
    /// Whether searches give way to everything else on the machine: replays run at the
    /// lowest priority (on Linux, with the highest niceness), as where the process does
    /// something more urgent. They never run on the thread pool. Default: they do not.
    /// </summary>
    public bool HasLowPriority { get; init; }

    /// <summary>Replays of each table in the trial on held-out data. Default 10; 2 to 1,000.</summary>
    [Range(2, 1_000)]
    public int TrialReplays { get; init; } = 10;

    /// <summary>Of everything that is drawn.</summary>
    public ulong Seed { get; init; } = 1;

    /// <summary>What found tables are named by, with the training's number behind it. Default "learned".</summary>
    [Required, RegularExpression("[A-Za-z0-9][A-Za-z0-9._-]{0,99}")]
    public string Name { get; init; } = "learned";

    /// <summary>
    /// What found tables take from where the search says nothing, and must beat like every built-in one, as long as
    /// nothing was published. Default: ic3. After that it is what is in force.
    /// </summary>
    public PolicyDocument FirstParent { get; init; } = BuiltinPolicies.Get("ic3").Document;

    /// <summary>Who publishes, for people. Default "trainer".</summary>
    [Required]
    public string By { get; init; } = "trainer";

    /// <summary>How often it looks for traces. Default 1 min; 1 s to a day.</summary>
    [Range(typeof(TimeSpan), "00:00:01", "1.00:00:00")]
    public TimeSpan PollInterval { get; init; } = TimeSpan.FromMinutes(1);

    /// <summary>
    /// Of how many windows the traces are kept, in <see cref="StateFolder"/>, to train on. Default 48; 1 to 10,000.
    /// </summary>
    [Range(1, 10_000)]
    public int WindowsKept { get; init; } = 48;

    /// <summary>How many of a window's transactions are kept, the first. Default 20,000; 100 to 10,000,000.</summary>
    [Range(100, 10_000_000)]
    public int WindowTransactionsMax { get; init; } = 20_000;

    /// <summary>
    /// With how many transactions a trace is long enough to train on; windows with the highest conflict rates are taken
    /// until it is. Default 20,000; 100 to 10,000,000.
    /// </summary>
    [Range(100, 10_000_000)]
    public int TrainingTransactions { get; init; } = 20_000;

    /// <summary>Throws naming the first option that is out of its bounds.</summary>
    /// <exception cref="ValidationException">One is.</exception>
    public void Validate()
    {
        Validator.ValidateObject(this, new ValidationContext(this), validateAllProperties: true);
        if (Forecast == ForecastKind.Week && Windows.Length < WindowGrid.SeasonalLengthMin)
        {
            throw new ValidationException(
                $"{nameof(Windows)} are of {Windows.Length}, and a {nameof(Forecast)} of {ForecastKind.Week} takes "
                + $"windows of at least {WindowGrid.SeasonalLengthMin}. Make them longer, or forecast "
                + $"{ForecastKind.Now}.");
        }

        Settings.Validate();
        Collecting.Validate();
        Retraining.Validate();
    }
}
