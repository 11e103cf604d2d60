using Microsoft.Extensions.Logging;

namespace Polyjuice.Contracts;

/// <summary>Every line that the engine logs.</summary>
internal static partial class EngineLog
{
    [LoggerMessage(1, LogLevel.Information, "Serving {Partition} in epoch {Epoch}.")]
    public static partial void Acquired(this ILogger logger, string partition, long epoch);

    [LoggerMessage(
        2, LogLevel.Warning,
        "Another node has taken over {Partition} (served here in epoch {Epoch}); stopped serving it.")]
    public static partial void Deposed(this ILogger logger, string partition, long epoch);

    [LoggerMessage(
        3, LogLevel.Warning,
        "Append to {Partition} at {Position} failed; the same batch is tried again until its fate is known.")]
    public static partial void AppendFailed(this ILogger logger, Exception exception, string partition, long position);

    [LoggerMessage(12, LogLevel.Debug, "Append to {Partition} at {Position} failed again ({Failures} in a row).")]
    public static partial void AppendFailedAgain(
        this ILogger logger, Exception exception, string partition, long position, int failures);

    [LoggerMessage(
        13, LogLevel.Error,
        "{Partition} has not taken an append for {Milliseconds} ms: transactions that need it are refused until it "
        + "does. That is tried several times a second, and said once.")]
    public static partial void LogOut(this ILogger logger, Exception exception, string partition, long milliseconds);

    [LoggerMessage(
        14, LogLevel.Warning,
        "{Partition} takes appends again, after {Milliseconds} ms and {Failures} failures: transactions go on.")]
    public static partial void LogWorks(this ILogger logger, string partition, long milliseconds, int failures);

    [LoggerMessage(
        4, LogLevel.Error,
        "Refused a message from node {Node}: its clock leads by {LeadMicroseconds} µs, more than "
        + "MaxClockSkewMicroseconds allows. Synchronise the clocks.")]
    public static partial void SkewRefused(this ILogger logger, long node, long leadMicroseconds);

    [LoggerMessage(
        6, LogLevel.Warning,
        "A wait ended by its deadline, which is never expected: {Waiter} at {Site} waited for {Target}.")]
    public static partial void WaitDeadline(this ILogger logger, string waiter, string site, string target);

    [LoggerMessage(5, LogLevel.Critical, "The engine has stopped because an invariant is broken.")]
    public static partial void Failed(this ILogger logger, Exception exception);

    [LoggerMessage(16, LogLevel.Error, "The engine has stopped. {Reason}")]
    public static partial void DeclaredDead(this ILogger logger, string reason);

    [LoggerMessage(7, LogLevel.Critical, "{Partition} can't be used; stopped serving it.")]
    public static partial void LogUnusable(this ILogger logger, Exception exception, string partition);

    [LoggerMessage(8, LogLevel.Debug, "Made a checkpoint of log partition {Partition} at {Position}, {Bytes} bytes.")]
    public static partial void Checkpointed(this ILogger logger, int partition, long position, long bytes);

    [LoggerMessage(
        9, LogLevel.Warning,
        "No checkpoint of log partition {Partition} could be made at {Position}; the log grows, and it is tried "
        + "again later.")]
    public static partial void CheckpointFailed(this ILogger logger, Exception exception, int partition, long position);

    [LoggerMessage(
        10, LogLevel.Warning,
        "The final step of transaction {Transaction} has thrown. Nobody can say what it has done; the transaction's "
        + "own changes are aborted, and its caller is told that it is in doubt.")]
    public static partial void FinalStepFailed(this ILogger logger, Exception exception, string transaction);

    [LoggerMessage(EventId = 15, Message = "The table {Table} is in force in the place of {Before} ({Reason}).")]
    public static partial void Chosen(
        this ILogger logger, LogLevel level, string table, string before, ChoiceReason reason);

    [LoggerMessage(
        11, LogLevel.Warning,
        "The trace's file could not be written; it ends there. What is left of the window is not recorded, and another "
        + "file is begun with the next one.")]
    public static partial void TraceFailed(this ILogger logger, Exception exception);
}
