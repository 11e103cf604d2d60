using System.Diagnostics;

namespace Polyjuice.Training.Cluster.Tests.Commands;

[Collection(RecordedBankCollection.Name)]
public sealed class TrainCommandTests(RecordedBank bank) : IDisposable
{
    private static readonly TimeSpan s_patience = TimeSpan.FromMinutes(3);

    private readonly TestFolder _folder = new();

    private string[] Trace => ["--trace", bank.File, "--clients", "8", "--transactions", "100"];

    public void Dispose() => _folder.Dispose();

    // In a process of its own: here the assembly would be there twice.
    [Fact]
    public async Task The_tool_loads_an_application_that_it_was_not_built_with_and_makes_its_calls()
    {
        // Which ends it before the search.
        var file = _folder.File("other");
        await File.WriteAllTextAsync(file, "no checkpoint\n");

        var (exitCode, output, error) = await ToolAsync(
            [
                "train", .. Trace, "--assembly", BinaryOf("samples/BankAccount", "BankAccount.dll"),
                "--calibrate-seconds", "0", "--checkpoint", file, "--out", _folder.File("x.json")
            ]);

        Assert.Contains("All 1,600 recorded calls can be made again.", output, StringComparison.Ordinal);
        Assert.Contains("no checkpoint of a search", error, StringComparison.Ordinal);
        Assert.Equal(ExitCodes.Refused, exitCode);
        Assert.False(File.Exists(_folder.File("x.json")));
    }

    [Fact]
    public async Task An_assembly_without_the_grains_is_refused_with_what_is_missing()
    {
        var (exitCode, _, error) = await ToolAsync(
            [
                "train",
                .. Trace,
                "--assembly",
                BinaryOf("samples/Smallbank", "Smallbank.dll"),
                "--out",
                _folder.File("x.json")
            ]);

        Assert.Equal(ExitCodes.Refused, exitCode);
        Assert.Contains("there is no grain type atm here", error, StringComparison.Ordinal);
        Assert.Contains("Name every assembly", error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_foreign_file_is_no_trace()
    {
        var file = _folder.File("x.pjtrace");
        await File.WriteAllTextAsync(file, "something else altogether");
        var (exitCode, _, error) = await TrainAsync("--trace", file);
        Assert.Equal(ExitCodes.Refused, exitCode);
        Assert.Contains("x.pjtrace", error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_truncated_trace_is_refused()
    {
        var file = _folder.File("x.pjtrace");
        var whole = await File.ReadAllBytesAsync(bank.File);
        await File.WriteAllBytesAsync(file, whole[..(whole.Length / 2)]);
        var (exitCode, _, error) = await TrainAsync("--trace", file);
        Assert.Equal(ExitCodes.Refused, exitCode);
        Assert.Contains("x.pjtrace", error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("--silos", "17", "16 at the most")]
    [InlineData("--verdict-rounds", "2", "--verdict-rounds")]
    [InlineData("--race-seconds", "0", "--race-seconds")]
    [InlineData("--left-out-percent", "101", "--left-out-percent")]
    public async Task A_value_that_is_not_valid_is_refused_with_what_is(string option, string value, string expected)
    {
        var (exitCode, _, error) = await TrainAsync([.. Trace, option, value]);
        Assert.Equal(ExitCodes.Refused, exitCode);
        Assert.Contains(expected, error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Too_many_clients_for_the_held_out_calls_are_refused()
    {
        var (exitCode, _, error) = await TrainAsync("--trace", bank.File, "--clients", "400");
        Assert.Equal(ExitCodes.Refused, exitCode);
        Assert.Contains("1,600", error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_cluster_that_fails_writes_nothing_and_says_so()
    {
        var (exitCode, _, error) = await TrainAsync(
            RecordedBank.Application.NotStarting(), [.. Trace, "--checkpoint", _folder.File("search")]);
        Assert.Equal(ExitCodes.Refused, exitCode);
        Assert.Contains("there is no such database", error, StringComparison.Ordinal);
        Assert.Contains("Nothing written.", error, StringComparison.Ordinal);
        Assert.Contains("the same command goes on", error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Ended_before_there_is_an_answer_it_is_cancelled()
    {
        using var ended = new CancellationTokenSource();
        await using var output = new WatchedOutput(ended.Cancel, "[1/4]");
        var error = new StringWriter();
        var exitCode = await TrainerProgram.RunAsync(
            [.. Trace, "--out", _folder.File("x.json")], RecordedBank.Application, output, error, ended.Token);
        Assert.Equal(ExitCodes.Cancelled, exitCode);
        Assert.Contains("nothing was written", error.ToString(), StringComparison.Ordinal);
    }

    private static string BinaryOf(string project, string file)
    {
        var framework = new DirectoryInfo(Path.TrimEndingDirectorySeparator(AppContext.BaseDirectory));
        return Repository.PathOf(Path.Combine(project, "bin", framework.Parent!.Name, framework.Name, file));
    }

    private static async Task<(int ExitCode, string Output, string Error)> ToolAsync(string[] args)
    {
        var start = new ProcessStartInfo("dotnet") { RedirectStandardOutput = true, RedirectStandardError = true };
        foreach (var argument in args.Prepend(BinaryOf("src/Polyjuice.Cli", "Polyjuice.Cli.dll")))
            start.ArgumentList.Add(argument);
        using var process = Process.Start(start)!;
        var (output, error) = (process.StandardOutput.ReadToEndAsync(), process.StandardError.ReadToEndAsync());
        using var patience = new CancellationTokenSource(s_patience);
        await process.WaitForExitAsync(patience.Token);
        return (process.ExitCode, await output, await error);
    }

    private Task<(int ExitCode, string Output, string Error)> TrainAsync(params string[] args) =>
        TrainAsync(RecordedBank.Application, args);

    private async Task<(int ExitCode, string Output, string Error)> TrainAsync(
        TrainedApplication application, string[] args)
    {
        var (output, error) = (new StringWriter(), new StringWriter());
        var exitCode = await TrainerProgram.RunAsync(
            [.. args, "--out", _folder.File("x.json")], application, output, error);
        Assert.False(File.Exists(_folder.File("x.json")));
        return (exitCode, output.ToString(), error.ToString());
    }
}
