using System.CommandLine;
using Polyjuice.Policies;

namespace Polyjuice.CommandLine;

/// <summary>Answers a command line that does not parse with what would.</summary>
internal static class UsageErrors
{
    /// <summary>
    /// Writes the errors and the valid commands, arguments and options of the command that was reached.
    /// </summary>
    public static int Report(ParseResult parsed, string tool, TextWriter error)
    {
        var command = parsed.CommandResult.Command;
        var messages = UnknownCommand(parsed) is { } unknown
            ? [unknown]
            : parsed.Errors.Select(e => e.Message).Distinct();
        foreach (var message in messages) error.WriteLine(message);
        List("commands", command.Subcommands.Where(c => !c.Hidden).Select(c => c.Name));
        List("arguments", command.Arguments.Where(a => !a.Hidden).Select(a => $"<{a.HelpName ?? a.Name}>"));
        List("options", command.Options.Where(o => !o.Hidden).Select(o => o.Name));
        error.WriteLine($"Help: {Path(parsed, tool)} --help");
        return ExitCodes.Refused;

        void List(string what, IEnumerable<string> names)
        {
            var list = string.Join(", ", names);
            if (list.Length > 0) error.WriteLine($"Valid {what} of '{Path(parsed, tool)}': {list}");
        }
    }

    // The parser says first that a command is missing, and that some argument is not known only behind that.
    private static string? UnknownCommand(ParseResult parsed)
    {
        var commands = parsed.CommandResult.Command.Subcommands.Where(static command => !command.Hidden).ToList();
        if (commands.Count == 0) return null;
        if (parsed.UnmatchedTokens.FirstOrDefault(static token => !token.StartsWith('-')) is not { } typed) return null;
        var meant = NearestName.Of(typed, commands.Select(static command => command.Name));
        return $"Unknown command '{typed}'.{(meant is null ? "" : $" Did you mean '{meant}'?")}";
    }

    private static string Path(ParseResult parsed, string tool)
    {
        var names = new List<string>();
        for (var result =
            parsed.CommandResult; result is not null; result =
                result.Parent as System.CommandLine.Parsing.CommandResult)
            names.Insert(0, result.Command is RootCommand ? tool : result.Command.Name);
        return string.Join(' ', names);
    }
}
