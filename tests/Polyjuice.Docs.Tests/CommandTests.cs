using System.CommandLine;
using System.Text.RegularExpressions;
using Polyjuice.Lab.Tool;

namespace Polyjuice.Docs.Tests;

/// <summary>Commands that the guide shows are understood by the tool and by the laboratory.</summary>
public partial class CommandTests
{
    private static readonly Dictionary<string, RootCommand> s_tools = new()
    {
        ["polyjuice"] = Cli.CommandLine.Create(),
        ["polyjuice-lab"] = LabCommandLine.Create(),
    };

    [Fact]
    public void Every_command_that_is_shown_is_understood()
    {
        var refused = new List<string>();
        var shown = 0;
        foreach (var page in Page.All)
        {
            foreach (var (number, line) in Commands(page))
            {
                if (ToolOf(line) is not var (tool, arguments)) continue;
                shown++;
                var errors = s_tools[tool].Parse(arguments).Errors;
                if (errors.Count > 0) refused.Add($"{page.Path}:{number}: {line} → {errors[0].Message}");
            }
        }

        Assert.True(!refused.Any(), string.Join(Environment.NewLine, refused));
        Assert.True(shown > 30, $"only {shown} commands were found");
    }

    // Of a command over several lines, the number of the first.
    private static IEnumerable<(int Number, string Line)> Commands(Page page)
    {
        foreach (var (language, lines) in page.Fences)
        {
            if (language is not ("" or "sh" or "bash" or "shell" or "console" or "text")) continue;
            var (begun, number) = ("", 0);
            foreach (var (at, line) in lines)
            {
                if (begun.Length == 0) number = at;
                var whole = begun + line.Trim();
                begun = whole.EndsWith('\\') ? whole[..^1] : "";
                if (begun.Length == 0) yield return (number, whole);
            }
        }
    }

    private static (string Tool, string Arguments)? ToolOf(string line)
    {
        var command = Comment().Replace(Prompt().Replace(line, ""), "");
        if (Tool().Match(command) is { Success: true } tool) return (tool.Groups[1].Value, tool.Groups[2].Value);
        return Run().Match(command) is { Success: true } run
            ? (run.Groups[1].Value == "benchmarks/Polyjuice.Lab" ? "polyjuice-lab" : "polyjuice", run.Groups[2].Value)
            : null;
    }

    [GeneratedRegex(@"^\$ ")]
    private static partial Regex Prompt();

    [GeneratedRegex(@"\s+(#|>|\||2>).*$")]
    private static partial Regex Comment();

    [GeneratedRegex(@"^(polyjuice(?:-lab)?)(?: (.*))?$")]
    private static partial Regex Tool();

    [GeneratedRegex(@"^dotnet run .*--project (benchmarks/Polyjuice\.Lab|src/Polyjuice\.Cli) (?:.*?)-- (.*)$")]
    private static partial Regex Run();
}
