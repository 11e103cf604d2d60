using System.CommandLine;

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
        foreach (var message in parsed.Errors.Select(e => e.Message).Distinct()) error.WriteLine(message);
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
