namespace Polyjuice.Orleans.Tests.GrainCode;

/// <summary>Transactions that wait for others to end before they start.</summary>
public sealed class HeldTransactionTests
{
    [Fact]
    public async Task A_grain_that_is_not_reentrant_never_keeps_its_turn_to_wait_for_others_to_end()
    {
        await using var cluster = await TestHost.StartAsync(engine: options =>
        {
            options.AttemptsMax = 1;
            options.AdmissionStallMicroseconds = 60_000_000;
        });
        var holder = cluster.Client.GetGrain<ICashier>("holder").Hold("held-arrived", "held-release");
        await Signals.WaitAsync("held-arrived");
        var account = cluster.Client.GetGrain<IWallet>("a");
        var waiting = account.Add(1);

        // Its turn may be what the one that runs needs.
        await cluster.Client.GetGrain<ICashier>("other").Transfer("b", "c", 5);
        Assert.False(waiting.IsCompleted);
        Assert.Equal(100, await account.Get());
        Signals.Set("held-release");
        await Task.WhenAll(holder, waiting);
        Assert.Equal(101, await account.Get());
    }
}
