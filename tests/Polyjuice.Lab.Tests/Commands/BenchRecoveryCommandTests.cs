namespace Polyjuice.Lab.Tests.Commands;

public sealed class BenchRecoveryCommandTests : IDisposable
{
    private readonly LabTool _tool = new();

    public void Dispose() => _tool.Dispose();

    [Fact]
    public async Task A_log_is_made_recovered_from_its_beginning_and_from_a_checkpoint_and_removed()
    {
        Directory.CreateDirectory(_tool.PathOf("logs"));
        var answer = await _tool.RunAsync(
            "bench", "recovery", "--records", "400", "--accounts", "20", "--clients", "4", "--data",
            _tool.PathOf("logs"), "--most-seconds", "3600");
        Assert.Equal((0, ""), (answer.ExitCode, answer.Error));
        Assert.Contains("from the whole log: start to served", answer.Output);
        Assert.Contains("from the checkpoint: start to served", answer.Output);
        Assert.Contains("money conserved", answer.Output);
        Assert.Empty(Directory.EnumerateFileSystemEntries(_tool.PathOf("logs")));
    }

    [Fact]
    public async Task A_recovery_that_takes_longer_than_it_may_is_a_no()
    {
        Directory.CreateDirectory(_tool.PathOf("logs"));
        var answer = await _tool.RunAsync(
            "bench", "recovery", "--records", "100", "--accounts", "10", "--clients", "2", "--data",
            _tool.PathOf("logs"), "--most-seconds", "0.001");
        Assert.Equal(1, answer.ExitCode);
        Assert.Contains("Too slow", answer.Output);
    }
}
