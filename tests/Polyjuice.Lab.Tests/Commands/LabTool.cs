using Polyjuice.Lab.Tool;

namespace Polyjuice.Lab.Tests.Commands;

/// <summary>
/// Runs the laboratory in this process, with files of its own; and the tool, where the laboratory has no such command.
/// </summary>
internal sealed class LabTool : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("polyjuice-lab-tests").FullName;

    /// <summary>What a run answered.</summary>
    public sealed record Answer(int ExitCode, string Output, string Error);

    public Task<Answer> RunAsync(params string[] args) => RunAsync(new StringWriter(), args, CancellationToken.None);

    /// <summary>The same, and it ends as by Ctrl-C as soon as a line of its output holds a text.</summary>
    public async Task<Answer> InterruptAsync(string at, params string[] args)
    {
        using var interrupt = new CancellationTokenSource();
        return await RunAsync(new Watched(at, interrupt), args, interrupt.Token);
    }

    private static async Task<Answer> RunAsync(StringWriter output, string[] args, CancellationToken cancellationToken)
    {
        var error = new StringWriter();
        var exitCode = await (IsTheTools(args)
            ? Cli.CommandLine.RunAsync(args, output, error, cancellationToken)
            : LabCommandLine.RunAsync(args, output, error, cancellationToken));
        Assert.DoesNotContain("   at ", error.ToString());
        return new Answer(exitCode, output.ToString(), error.ToString());
    }

    private static bool IsTheTools(string[] args) =>
        args is ["trace", "info" or "merge" or "slice" or "anonymise" or "export", ..] or ["train", "--trace", ..]
            or ["trainer", ..] or ["policy", "validate", ..];

    public string PathOf(string file) => Path.Combine(_folder, file);

    public string Write(string file, string text)
    {
        File.WriteAllText(PathOf(file), text);
        return PathOf(file);
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private sealed class Watched(string at, CancellationTokenSource interrupt) : StringWriter
    {
        public override void WriteLine(string? value)
        {
            base.WriteLine(value);
            if (value?.Contains(at, StringComparison.Ordinal) == true) interrupt.Cancel();
        }
    }
}
