using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Orleans;
using Orleans.Configuration;
using Orleans.Hosting;
using Polyjuice.Orleans.Idempotency;
using Polyjuice.Orleans.Tests.Clusters;
using Polyjuice.Orleans.Tests.Grains;

namespace Polyjuice.Orleans.Tests.Idempotency;

public sealed class RetentionTests
{
    private readonly ShiftedTime _time = new();

    [Fact]
    public async Task A_key_is_forgotten_after_its_time_and_its_room_is_used_again()
    {
        await using var cluster = await PolyjuiceCluster.StartAsync(
            1,
            silo => silo.Configure<PolyjuiceOptions>(options => options.IdempotencyRetention = TimeSpan.FromHours(1))
                .Services.Replace(ServiceDescriptor.Singleton(new IdempotencyClock(_time))),
            client => client.UsePolyjuice());
        var till = cluster.Client.GetGrain<ITill>(20_001);
        Assert.Equal(5, await PayAsync("key"));
        _time.Add(TimeSpan.FromMinutes(50));
        Assert.Equal(5, await PayAsync("key"));
        var page = cluster.Client.GetGrain<IIdempotencyKeys>(PageOf("key"));
        Assert.Equal(1, (await LookAsync()).Calls);

        _time.Add(TimeSpan.FromMinutes(11));

        Assert.Equal(0, (await LookAsync()).Calls);
        Assert.Equal(10, await PayAsync("key"));
        Assert.Equal(10, await PayAsync("key"));
        Assert.Equal(1, (await LookAsync()).Calls);

        async Task<int> PayAsync(string key)
        {
            using (IdempotencyKey.Use(key)) return await till.Pay(5);
        }

        string PageOf(string key)
        {
            var partitions = cluster.GetSiloServiceProvider().GetRequiredService<Orleans.Silos.SiloLogs>().Partitions;
            var partition = Polyjuice.Contracts.StableHash.Partition(till.GetGrainId().ToString(), partitions);
            return PageNames.KeyOf(PageNames.CallOf(till.GetGrainId(), key), 0, partition, partitions);
        }

        async Task<PageLook> LookAsync()
        {
            var look = default(PageLook);
            await cluster.Client.ServiceProvider.GetRequiredService<ITransactionClient>()
                .RunTransaction(TransactionOption.Create, async () => look = await page.Find(Guid.Empty));
            return look;
        }
    }
}
