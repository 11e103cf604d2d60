using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Orleans;
using Orleans.Hosting;
using Orleans.Runtime;
using Orleans.Services;
using Orleans.Streams;
using Orleans.TestingHost;
using Polyjuice.Orleans.Tests.Clusters;
using Polyjuice.Orleans.Tests.Grains;

namespace Polyjuice.Orleans.Tests;

/// <summary>
/// Transactions that code of a silo starts itself, from every place where Orleans runs it. Methods without a
/// transaction and timers are in <see cref="GrainCodeTests"/>.
/// </summary>
public sealed class OwnTransactionTests : IAsyncLifetime
{
    private readonly LedgerEnds _ends = new();
    private InProcessTestCluster _cluster = null!;

    public async Task InitializeAsync() => _cluster = await PolyjuiceCluster.StartAsync(2, silo =>
    {
        silo.Services.AddSingleton(_ends);
        silo.AddMemoryStreams("streams").AddMemoryGrainStorage("PubSubStore").AddGrainService<DepositService>();
    });

    public async Task DisposeAsync() => await _cluster.DisposeAsync();

    [Fact]
    public async Task When_a_grain_is_activated_and_reminded() =>
        Assert.Equal(["activated", "reminded"], await RemindedAsync(_cluster.Client.GetGrain<ILedger>(Guid.NewGuid())));

    [Fact]
    public async Task When_an_item_of_a_stream_comes()
    {
        var id = Guid.NewGuid();
        var stream = _cluster.GetSiloServiceProvider().GetRequiredKeyedService<IStreamProvider>("streams")
            .GetStream<string>(LedgerGrain.Stream, id);

        await stream.OnNextAsync("streamed");

        var ledger = _cluster.Client.GetGrain<ILedger>(id);
        Assert.Null(await ledger.Streamed().WaitAsync(TimeSpan.FromMinutes(2)));
        Assert.Equal(["activated", "streamed"], await ledger.Read());
    }

    [Fact]
    public async Task When_a_grain_is_deactivated()
    {
        var ledger = _cluster.Client.GetGrain<ILedger>(Guid.NewGuid());
        await ledger.Read();
        await ledger.Leave();

        Assert.Null(await _ends.Ended.Task.WaitAsync(TimeSpan.FromMinutes(2)));
        Assert.Equal(["activated", "deactivated", "activated"], await ledger.Read());
    }

    [Fact]
    public async Task In_a_grain_service_over_grains()
    {
        foreach (var silo in _cluster.Silos)
        {
            var service = silo.ServiceProvider.GetServices<IGrainService>().OfType<DepositService>().Single();
            await service.Deposited.WaitAsync(TimeSpan.FromMinutes(2));
        }

        Assert.Equal(
            (2, 2), (
                await _cluster.Client.GetGrain<IAccount>(1).GetBalance(),
                await _cluster.Client.GetGrain<IAccount>(2).GetBalance()));
    }

    private static async Task<string[]> RemindedAsync(ILedger ledger)
    {
        // As Orleans' reminder service calls it; it would not before a minute is over.
        await ledger.AsReference<IRemindable>().ReceiveReminder("a reminder", new TickStatus());
        return await ledger.Read();
    }
}
