using BankAccount.Grains;

namespace BankAccount.Tests;

public sealed class TransferLoopTests
{
    [Fact]
    public async Task Customers_make_as_many_transfers_as_they_were_told_and_lose_no_money()
    {
        await using var bank = new Scope();
        var output = new StringWriter();
        var grains = await bank.StartAsync();
        var result = await new TransferLoop(
            grains, CommandLine.Parse(["--transfers", "120", "--customers", "8", "--pause", "0"]), output).RunAsync(
            CancellationToken.None);
        Assert.Equal(120, result.Committed + result.Declined);
        Assert.Equal((0, 0), (result.Failed, result.InDoubt));
        Assert.True(result.IsMoneyConserved, result.ToString());
        Assert.Equal(121, output.ToString().Split('\n', StringSplitOptions.RemoveEmptyEntries).Length);

        decimal sum = 0;
        foreach (var owner in TransferLoop.Owners) sum += await grains.GetGrain<IAccountGrain>(owner).GetBalance();
        Assert.Equal(result.Total, sum);
    }

    [Fact]
    public async Task A_loop_without_an_end_stops_when_it_is_told_to_and_counts_the_money()
    {
        await using var bank = new Scope();
        using var stop = new CancellationTokenSource();
        var output = new StoppingWriter(stop, afterLines: 20);
        var result = await new TransferLoop(
            await bank.StartAsync(), CommandLine.Parse(["--customers", "2", "--pause", "0.001"]), output).RunAsync(
            stop.Token);
        Assert.InRange(result.Committed + result.Declined, 19, 40);
        Assert.True(result.IsMoneyConserved, result.ToString());
    }

    private sealed class Scope : IAsyncDisposable
    {
        private readonly RunningBank _bank = new();

        public async Task<Orleans.IGrainFactory> StartAsync()
        {
            await _bank.InitializeAsync();
            return _bank.Grains;
        }

        public async ValueTask DisposeAsync() => await _bank.DisposeAsync();
    }

    /// <summary>Presses Ctrl-C when it has read enough.</summary>
    private sealed class StoppingWriter(CancellationTokenSource stop, int afterLines) : StringWriter
    {
        private int _lines;

        public override void WriteLine(string? value)
        {
            base.WriteLine(value);
            if (++_lines == afterLines) stop.Cancel();
        }
    }
}
