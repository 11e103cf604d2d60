using Orleans;
using Orleans.Configuration;
using Orleans.Hosting;
using Polyjuice.Orleans.Tests.Clusters;
using Polyjuice.Orleans.Tests.Grains;
using Polyjuice.Orleans.Tests.Rows;
using Polyjuice.Tests.Storages;

namespace Polyjuice.Orleans.Tests.Idempotency;

/// <summary>States with storage providers: keys are in the logs all the same.</summary>
public sealed class StoredStatesTests
{
    private readonly StoredRows _rows = new();

    [Theory]
    [InlineData(StorageKind.Grain, StateStorage.Registered)]
    [InlineData(StorageKind.State, StateStorage.Registered)]
    public async Task A_state_in_a_row_is_updated_once(StorageKind kind, StateStorage choice)
    {
        await using var cluster = await PolyjuiceCluster.StartAsync(2, silo =>
        {
            Rows.Storage.Of(kind, _rows)(silo);
            silo.AddMemoryLogAsDefault().Configure<PolyjuiceOptions>(options => options.StateStorage = choice);
        });
        var account = cluster.Client.GetGrain<IRowAccount>(1);
        using (IdempotencyKey.Use("key"))
        {
            Assert.Equal(5, await account.Deposit(5));
            Assert.Equal(5, await account.Deposit(5));
        }

        Assert.Equal(5, await account.GetBalance());
        Assert.Single(_rows.Keys);
    }

    [Fact]
    public async Task Without_logs_a_silo_with_senders_does_not_start()
    {
        var exception = await Assert.ThrowsAnyAsync<Exception>(() => PolyjuiceCluster.StartAsync(1, silo =>
        {
            Rows.Storage.Of(StorageKind.Grain, _rows)(silo);
            silo.AddOutboxSender("mail", static _ => new Outboxes.Mailbox());
        }));
        Assert.Contains("outbox senders", exception.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Without_logs_a_key_is_refused()
    {
        await using var cluster = await PolyjuiceCluster.StartAsync(1, Rows.Storage.Of(StorageKind.Grain, _rows));
        var account = cluster.Client.GetGrain<IRowAccount>(1);
        using (IdempotencyKey.Use("key"))
        {
            var exception = await Assert.ThrowsAsync<IdempotencyException>(() => account.Deposit(5));
            Assert.Equal(IdempotencyFailure.NoLog, exception.Failure);
        }

        Assert.Equal(5, await account.Deposit(5));
    }
}
