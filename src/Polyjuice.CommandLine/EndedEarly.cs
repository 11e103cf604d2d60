namespace Polyjuice.CommandLine;

/// <summary>Answers for a command that somebody has ended before there was anything to show.</summary>
internal static class EndedEarly
{
    /// <summary>Runs the command.</summary>
    /// <param name="run">What it does.</param>
    /// <param name="error">Where it is said that it was ended.</param>
    /// <param name="cancellationToken">How it is ended.</param>
    public static async Task<int> AnsweredAsync(
        Func<Task<int>> run, TextWriter error, CancellationToken cancellationToken)
    {
        try
        {
            return await run();
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            await error.WriteLineAsync("Cancelled: nothing was found out yet, and nothing was written.");
            return ExitCodes.Cancelled;
        }
    }

    /// <summary>
    /// Runs a command that reads for long: Ctrl+C ends it, and it says that it did not get to the end.
    /// </summary>
    /// <param name="command">What it does.</param>
    /// <param name="error">Where it is said that it was ended.</param>
    /// <param name="cancellationToken">How it is ended.</param>
    public static async Task<int> ReadingAsync(
        Func<CancellationToken, Task<int>> command, TextWriter error, CancellationToken cancellationToken)
    {
        try
        {
            // Off this thread: Ctrl+C is heard while the action has
            // returned its task, and files are read without waiting.
            return await Task.Run(() => command(cancellationToken), CancellationToken.None);
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            await error.WriteLineAsync(
                "Cancelled: it did not get to the end, and what it has not said yet is not known.");
            return ExitCodes.Cancelled;
        }
    }
}
