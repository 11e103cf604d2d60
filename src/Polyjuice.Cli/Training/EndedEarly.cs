namespace Polyjuice.Cli.Training;

/// <summary>Answers for a command that somebody has ended before there was anything to show.</summary>
internal static class EndedEarly
{
    /// <summary>Runs the command.</summary>
    /// <param name="run">What it does.</param>
    /// <param name="error">Where it is said that it was ended.</param>
    /// <param name="cancellationToken">How it is ended.</param>
    public static async Task<int> AnsweredAsync(Func<Task<int>> run, TextWriter error, CancellationToken cancellationToken)
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
}
