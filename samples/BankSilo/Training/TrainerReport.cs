using Orleans;
using Polyjuice.Training.Search;
using Polyjuice.Training.Service;

namespace BankSilo.Training;

/// <summary>What the cluster's trainer is at. Rates are shares of transactions that are in conflict.</summary>
/// <param name="Silo">Where it is.</param>
/// <param name="IsRunning">Whether it runs there; if not, <paramref name="Problem"/> says why, and it is tried again.</param>
/// <param name="Problem">What failed last; <see langword="null"/> if nothing did.</param>
/// <param name="AliveAt">When it last looked for traces, or a search's iteration ended.</param>
/// <param name="WindowsSeen">How many windows it has seen.</param>
/// <param name="LastRate">The last one's conflict rate.</param>
/// <param name="ForecastPeak">The peak that is expected.</param>
/// <param name="TrainedFor">The peak that the table in force was trained for.</param>
/// <param name="Decision">What was decided last, and why.</param>
/// <param name="IsTraining">Whether a search is under way.</param>
/// <param name="Replays">Of the search that is under way, or was last.</param>
/// <param name="Best">Transactions a second under the best table of that search, in replays.</param>
/// <param name="Trainings">How many trainings have ended.</param>
/// <param name="LastTraining">What the last one came to.</param>
/// <param name="Published">The last entry that it has published; 0 for none.</param>
[GenerateSerializer, Immutable]
internal sealed record TrainerReport(
    [property: Id(0)] string Silo, [property: Id(1)] bool IsRunning, [property: Id(2)] string? Problem, [property: Id(3)] DateTimeOffset AliveAt, [property: Id(4)] long WindowsSeen, [property: Id(5)] double? LastRate,
    [property: Id(6)] double? ForecastPeak, [property: Id(7)] double? TrainedFor, [property: Id(8)] string? Decision, [property: Id(9)] bool IsTraining, [property: Id(10)] long Replays, [property: Id(11)] double? Best,
    [property: Id(12)] int Trainings, [property: Id(13)] string? LastTraining, [property: Id(14)] int Published)
{
    /// <summary>Of a trainer that runs, or has.</summary>
    /// <param name="silo">Where.</param>
    /// <param name="isRunning">Whether it still does.</param>
    /// <param name="problem">What else is wrong.</param>
    /// <param name="status">What it says of itself; nothing before it was first opened.</param>
    public static TrainerReport Of(string silo, bool isRunning, string? problem, TrainerStatus? status)
    {
        status ??= new();
        SearchPoint? point = status.Search.Count > 0 ? status.Search[^1] : null;
        return new TrainerReport(
            silo, isRunning, problem ?? status.Problem, status.AliveAt, status.WindowsSeen, status.LastWindow?.Rate, status.Forecast?.Rate, status.TrainedFor, status.Decision?.Reason, status.IsTraining, point?.Evaluations ?? 0, point?.Best,
            status.Trainings, status.LastTraining, status.Published);
    }
}
