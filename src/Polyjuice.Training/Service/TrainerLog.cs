using Microsoft.Extensions.Logging;

namespace Polyjuice.Training.Service;

/// <summary>What a trainer logs.</summary>
internal static partial class TrainerLog
{
    [LoggerMessage(
        301, LogLevel.Information,
        "Collects traces from {Traces}, publishes to {Store}, keeps its state in {State}: {Windows} window(s) seen, "
        + "{Trainings} training(s) ended.")]
    public static partial void Started(
        ILogger logger, string traces, string store, string state, long windows, int trainings);

    [LoggerMessage(302, LogLevel.Information, "Window {Window:u}: conflict rate {Rate:0.000}. {Reason}")]
    public static partial void Decided(ILogger logger, DateTimeOffset window, double rate, string reason);

    [LoggerMessage(
        310, LogLevel.Information,
        "Window {Window:u}: {Transactions} transactions were recorded, too few to say anything: it takes {Least}.")]
    public static partial void TooFew(ILogger logger, DateTimeOffset window, int transactions, int least);

    [LoggerMessage(303, LogLevel.Warning, "The trace {File} was passed over, in whole or in part: {Problem}.")]
    public static partial void PassedOver(ILogger logger, string file, string problem);

    [LoggerMessage(
        304, LogLevel.Information,
        "Training {Training} begins, for a peak conflict rate of {Rate:0.000}, on {Transactions} transactions.")]
    public static partial void TrainingBegins(ILogger logger, int training, double rate, int transactions);

    [LoggerMessage(305, LogLevel.Debug, "Iteration {Iteration}: best {Best:0}/s, {Evaluations} replays.")]
    public static partial void Searched(ILogger logger, int iteration, double best, long evaluations);

    [LoggerMessage(306, LogLevel.Information, "Training {Training}: {Text}.")]
    public static partial void TrainingEnded(ILogger logger, int training, string text);

    [LoggerMessage(307, LogLevel.Warning, "This time it failed, and is tried again: {Problem}")]
    public static partial void Failed(ILogger logger, string problem, Exception exception);

    [LoggerMessage(308, LogLevel.Error, "Training {Training} has failed; the table in force stays.")]
    public static partial void TrainingFailed(ILogger logger, int training, Exception exception);

    [LoggerMessage(309, LogLevel.Information, "Training {Training} goes on when the trainer is started again: {Text}.")]
    public static partial void TrainingInterrupted(ILogger logger, int training, string text);

    [LoggerMessage(
        311, LogLevel.Warning,
        "Silos have taken release {Release} back: {Why}. Replays and the cluster disagree, and nothing is searched "
        + "again until the load changes: look whether messages, appends and clients are as they were told to "
        + "the trainer.")]
    public static partial void TakenBack(ILogger logger, int release, string why);
}
