using Orleans;
using Polyjuice.Training.Search;
using Polyjuice.Training.Service;

namespace Polyjuice.Training.Orleans;

/// <summary>
/// What the cluster's trainer is at. Rates are shares of transactions that are in conflict, 0 to 1. Immutable.
/// </summary>
[GenerateSerializer, Immutable, Alias("Polyjuice.TrainerReport")]
public sealed record TrainerReport
{
    /// <summary>The silo that it is on.</summary>
    [Id(0)]
    public required string Silo { get; init; }

    /// <summary>Whether it runs there; if not, <see cref="Problem"/> says why, and it is tried again.</summary>
    [Id(1)]
    public bool IsRunning { get; init; }

    /// <summary>What failed last; <see langword="null"/> if nothing did.</summary>
    [Id(2)]
    public string? Problem { get; init; }

    /// <summary>When it last looked for traces, or a search's iteration ended.</summary>
    [Id(3)]
    public DateTimeOffset AliveAt { get; init; }

    /// <summary>How many windows it has seen.</summary>
    [Id(4)]
    public long WindowsSeen { get; init; }

    /// <summary>The last window's conflict rate; <see langword="null"/> before the first.</summary>
    [Id(5)]
    public double? LastRate { get; init; }

    /// <summary>The peak that is expected; <see langword="null"/> before the first window.</summary>
    [Id(6)]
    public double? ForecastPeak { get; init; }

    /// <summary>The peak that the table in force was trained for; <see langword="null"/> if none was.</summary>
    [Id(7)]
    public double? TrainedFor { get; init; }

    /// <summary>What was decided last, and why; <see langword="null"/> since it was started.</summary>
    [Id(8)]
    public string? Decision { get; init; }

    /// <summary>Whether a search is under way.</summary>
    [Id(9)]
    public bool IsTraining { get; init; }

    /// <summary>Replays of the search that is under way, or was last.</summary>
    [Id(10)]
    public long Replays { get; init; }

    /// <summary>
    /// Transactions a second under the best table of that search, in replays; <see langword="null"/> before the first.
    /// </summary>
    [Id(11)]
    public double? Best { get; init; }

    /// <summary>How many trainings have ended.</summary>
    [Id(12)]
    public int Trainings { get; init; }

    /// <summary>What the last one came to; <see langword="null"/> before the first.</summary>
    [Id(13)]
    public string? LastTraining { get; init; }

    /// <summary>The last entry that it has published; 0 for none.</summary>
    [Id(14)]
    public int Published { get; init; }

    /// <summary>The last of its entries that silos have taken back; 0 for none.</summary>
    [Id(15)]
    public int TakenBack { get; init; }

    /// <summary>Of a trainer that runs, or has.</summary>
    /// <param name="silo">Where.</param>
    /// <param name="isRunning">Whether it still does.</param>
    /// <param name="problem">What else is wrong.</param>
    /// <param name="status">What it says of itself; nothing before it was first opened.</param>
    internal static TrainerReport Of(string silo, bool isRunning, string? problem, TrainerStatus? status)
    {
        status ??= new();
        SearchPoint? point = status.Search.Count > 0 ? status.Search[^1] : null;
        return new TrainerReport
        {
            Silo = silo, IsRunning = isRunning, Problem = problem ?? status.Problem, AliveAt = status.AliveAt,
            WindowsSeen = status.WindowsSeen, LastRate = status.LastWindow?.Rate, ForecastPeak = status.Forecast?.Rate,
            TrainedFor = status.TrainedFor, Decision = status.Decision?.Reason, IsTraining = status.IsTraining,
            Replays = point?.Evaluations ?? 0, Best = point?.Best, Trainings = status.Trainings,
            LastTraining = status.LastTraining, Published = status.Published, TakenBack = status.TakenBack,
        };
    }
}
