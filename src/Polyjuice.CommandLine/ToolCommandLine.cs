using System.CommandLine;
using Polyjuice.Policies;
using Polyjuice.Storage;

namespace Polyjuice.CommandLine;

/// <summary>Runs a command line, and answers what is wrong with it.</summary>
internal static class ToolCommandLine
{
    /// <summary>
    /// How long a command may take to end in good order after
    /// Ctrl-C: what was measured is checked, drawn and written then.
    /// </summary>
    private static readonly TimeSpan _endingMax = TimeSpan.FromSeconds(60);

    /// <summary>Runs a command line; the result is one of <see cref="ExitCodes"/>.</summary>
    /// <param name="root">All commands.</param>
    /// <param name="name">What the tool is called.</param>
    /// <param name="args">What was typed.</param>
    /// <param name="output">For what was asked for.</param>
    /// <param name="error">For what is wrong.</param>
    /// <param name="cancellationToken">Ends it as Ctrl-C does.</param>
    public static async Task<int> RunAsync(
        RootCommand root, string name, string[] args, TextWriter output, TextWriter error,
        CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(root);
        ArgumentNullException.ThrowIfNull(error);
        var parsed = root.Parse(args);
        if (parsed.Errors.Count > 0 && parsed.Action is not System.CommandLine.Help.HelpAction)
            return UsageErrors.Report(parsed, name, error);
        try
        {
            TimeSpan? ending = parsed.CommandResult.Command is ISteppedCommand ? null : _endingMax;
            var configuration = new InvocationConfiguration
            {
                Output = output, Error = error, EnableDefaultExceptionHandler = false,
                ProcessTerminationTimeout = ending
            };
            return await parsed.InvokeAsync(configuration, cancellationToken);
        }
        catch (Exception e) when (IsWrongInput(e))
        {
            // The message says what to do; where in the tool it was noticed would help nobody.
            await error.WriteLineAsync(e is ArgumentException argument ? WithoutParameter(argument) : e.Message);
            return ExitCodes.Refused;
        }
    }

    private static bool IsWrongInput(Exception e) =>
        e is PolicyFormatException or LogUnusableException or ArgumentException or IOException
            or UnauthorizedAccessException;

    private static string WithoutParameter(ArgumentException e)
    {
        var at = e.Message.LastIndexOf(" (Parameter '", StringComparison.Ordinal);
        return at < 0 ? e.Message : e.Message[..at];
    }
}
