using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Orleans;
using Orleans.Transactions;
using Polyjuice.Orleans.Tests.Clusters;
using Polyjuice.Orleans.Tests.Grains;

namespace Polyjuice.Orleans.Tests;

/// <summary>Grains that have a service called at their commit.</summary>
public sealed class CommitterTests : IAsyncLifetime
{
    private readonly Courier _courier = new();
    private readonly LogLines _lines = new("Polyjuice.Engine");
    private global::Orleans.TestingHost.InProcessTestCluster? _cluster;

    private IGrainFactory Grains => _cluster!.Client;

    public async Task InitializeAsync()
    {
        _cluster = await PolyjuiceCluster.StartAsync(2, silo =>
        {
            silo.Services.AddKeyedSingleton("courier", _courier);
            silo.ConfigureLogging(logging => logging.AddProvider(_lines));
        });
        for (var key = 0; key < 4; key++) await Grains.GetGrain<IAccount>(key).Deposit(100);
    }

    public async Task DisposeAsync() => await _cluster!.DisposeAsync();

    [Fact]
    public async Task The_service_is_called_once_and_everything_else_commits()
    {
        for (var key = 0; key < 4; key++) await Grains.GetGrain<IShop>(key).Sell(key, $"book {key}");
        Assert.Equal(["book 0", "book 1", "book 2", "book 3"], _courier.Sent.Values.Order());
        for (var key = 0; key < 4; key++) Assert.Equal(90, await Grains.GetGrain<IAccount>(key).GetBalance());
    }

    [Fact]
    public async Task What_the_service_refuses_is_not_paid()
    {
        await Assert.ThrowsAsync<OrleansTransactionAbortedException>(() => Grains.GetGrain<IShop>(0).Sell(1, "piano"));
        Assert.Empty(_courier.Sent);
        Assert.Equal(100, await Grains.GetGrain<IAccount>(1).GetBalance());
    }

    [Fact]
    public async Task What_the_service_throws_is_in_the_log_and_the_caller_is_in_doubt()
    {
        await Assert.ThrowsAsync<OrleansTransactionInDoubtException>(() => Grains.GetGrain<IShop>(0).Sell(1, "bomb"));
        Assert.Contains(
            _lines.All,
            line => line.Level == LogLevel.Warning
                && line.Text.Contains("the van has exploded", StringComparison.Ordinal)
                && line.Text.Contains("IShop.Sell", StringComparison.Ordinal));
        Assert.Equal(100, await Grains.GetGrain<IAccount>(1).GetBalance());
    }
}
