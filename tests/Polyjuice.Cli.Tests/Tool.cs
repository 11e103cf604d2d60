namespace Polyjuice.Cli.Tests;

/// <summary>Runs the tool in this process, with files of its own.</summary>
internal sealed class Tool : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("polyjuice-cli-tests").FullName;

    /// <summary>What a run answered.</summary>
    public sealed record Answer(int ExitCode, string Output, string Error);

    public async Task<Answer> RunAsync(params string[] args)
    {
        var (output, error) = (new StringWriter(), new StringWriter());
        var exitCode = await CommandLine.RunAsync(args, output, error);
        Assert.DoesNotContain("   at ", error.ToString());
        return new Answer(exitCode, output.ToString(), error.ToString());
    }

    public string PathOf(string file) => Path.Combine(_folder, file);

    public string Write(string file, string text)
    {
        File.WriteAllText(PathOf(file), text);
        return PathOf(file);
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);
}
