using System.CommandLine;
using Polyjuice.Cli.Commands;
using Polyjuice.Policies;

namespace Polyjuice.Cli;

/// <summary>The tool's commands, and what happens when something is wrong with what was typed.</summary>
internal static class CommandLine
{
    /// <summary>How long a command may take to end in good order after Ctrl-C: what was measured is checked, drawn and written then.</summary>
    private static readonly TimeSpan _endingMax = TimeSpan.FromSeconds(60);

    /// <summary>The root of all commands.</summary>
    public static RootCommand Create() => new("Measures policies of transactional grains, checks the engine in simulation, looks at, compares and converts policy tables, looks at logs and checks them, records and looks at traces, and trains policies on them, once or for as long as it runs.")
    {
        BenchCommand.Create(),
        ExperimentCommand.Create(),
        CheckCommand.Create(),
        PolicyCommand.Create(),
        LogCommand.Create(),
        TrainCommand.Create(),
        TrainerCommand.Create(),
        TraceCommand.Create(),
    };

    /// <summary>Runs a command line; the result is one of <see cref="ExitCodes"/>.</summary>
    /// <param name="args">What was typed.</param>
    /// <param name="output">For what was asked for.</param>
    /// <param name="error">For what is wrong.</param>
    /// <param name="cancellationToken">Ends it as Ctrl-C does.</param>
    public static async Task<int> RunAsync(string[] args, TextWriter output, TextWriter error, CancellationToken cancellationToken = default)
    {
        var parsed = Create().Parse(args);
        if (parsed.Errors.Count > 0 && parsed.Action is not System.CommandLine.Help.HelpAction) return UsageErrors.Report(parsed, error);
        try
        {
            var configuration = new InvocationConfiguration { Output = output, Error = error, EnableDefaultExceptionHandler = false, ProcessTerminationTimeout = _endingMax };
            return await parsed.InvokeAsync(configuration, cancellationToken);
        }
        catch (Exception e) when (IsWrongInput(e))
        {
            // The message says what to do; where in the tool it was noticed would help nobody.
            await error.WriteLineAsync(e is ArgumentException argument ? WithoutParameter(argument) : e.Message);
            return ExitCodes.Refused;
        }
    }

    private static bool IsWrongInput(Exception e) => e is PolicyFormatException or Polyjuice.Storage.LogUnusableException or ArgumentException or IOException or UnauthorizedAccessException;

    private static string WithoutParameter(ArgumentException e)
    {
        var at = e.Message.LastIndexOf(" (Parameter '", StringComparison.Ordinal);
        return at < 0 ? e.Message : e.Message[..at];
    }
}
