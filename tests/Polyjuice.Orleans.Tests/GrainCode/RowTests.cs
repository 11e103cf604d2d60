namespace Polyjuice.Orleans.Tests.GrainCode;

/// <summary>A grain with two states, one of which names a storage provider.</summary>
public sealed class RowTests
{
    [Fact]
    public async Task A_transaction_spans_both_states_and_another_grain()
    {
        await using var cluster = await TestHost.StartAsync(2);
        var savings = cluster.Client.GetGrain<ISavings>("s");
        await savings.SaveFrom("a", 30);
        Assert.Equal((130, 130), await savings.Get());
        Assert.Equal(70, await cluster.Client.GetGrain<IWallet>("a").Get());
        await savings.Leave();
        Assert.Equal((130, 130), await savings.Get());
    }
}
