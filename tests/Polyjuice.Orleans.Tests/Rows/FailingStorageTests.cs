using Microsoft.Extensions.DependencyInjection;
using Orleans.Configuration;
using Orleans.Hosting;
using Orleans.TestingHost;
using Orleans.Transactions;
using Polyjuice.Tests.Storages;
using Polyjuice.Orleans.Tests.Clusters;

namespace Polyjuice.Orleans.Tests.Rows;

/// <summary>Providers that fail, are slow, or lose to somebody else.</summary>
public sealed class FailingStorageTests
{
    private readonly StoredRows _rows = new();

    [Theory]
    [InlineData(StorageKind.Grain)]
    [InlineData(StorageKind.State)]
    public async Task No_money_is_lost_when_stores_fail_before_in_the_middle_and_after(StorageKind kind)
    {
        await using var cluster = await PolyjuiceCluster.StartAsync(2, Storage.Of(kind, _rows));
        for (var key = 0; key < 4; key++) await OrleansRowTests.Account(cluster, key).Deposit(1_000);
        _rows.At = new RandomFaults(seed: 7, probability: 0.2).At;
        await Task.WhenAll(Enumerable.Range(0, 8).Select(async client =>
        {
            var random = new Random(client);
            for (var i = 0; i < 15; i++)
            {
                try
                {
                    var from = random.Next(4);
                    await OrleansRowTests.Account(cluster, from)
                        .TransferTo((from + 1 + random.Next(3)) % 4, 1 + random.Next(5));
                }
                catch (OrleansTransactionException)
                {
                    // Aborted or in doubt: either way nothing may be half done.
                }
            }
        }));
        _rows.At = static (_, _) => default;

        var sum = 0;
        for (var key = 0; key < 4; key++) sum += await OrleansRowTests.Account(cluster, key).GetBalance();
        Assert.Equal(4_000, sum);
        await OrleansRowTests.AssertDrained(cluster, 4);
    }

    [Fact]
    public async Task A_store_that_has_written_and_never_answers_is_found_again()
    {
        await using var cluster = await StartImpatientAsync();
        await OrleansRowTests.Account(cluster, 1).Deposit(1);
        var never = new TaskCompletionSource();
        var hung = HangOnce(StorageMoment.AfterWrite, never.Task);

        await OrleansRowTests.Account(cluster, 1).Deposit(41);

        Assert.Equal(1, hung());
        Assert.Equal(42, await OrleansRowTests.Account(cluster, 1).GetBalance());
        never.SetResult();
    }

    [Fact]
    public async Task A_store_that_is_late_does_not_undo_what_came_after_it()
    {
        await using var cluster = await StartImpatientAsync();
        await OrleansRowTests.Account(cluster, 1).Deposit(1);
        var late = new TaskCompletionSource();
        var hung = HangOnce(StorageMoment.BeforeWrite, late.Task);

        await OrleansRowTests.Account(cluster, 1).Deposit(41);
        Assert.Equal(1, hung());
        late.SetResult();
        await OrleansRowTests.Account(cluster, 1).Deposit(100);

        Assert.Equal(142, await OrleansRowTests.Account(cluster, 1).GetBalance());
    }

    [Fact]
    public async Task Who_loses_a_row_to_somebody_else_gives_it_up_and_reads_what_that_one_wrote()
    {
        await using var cluster = await PolyjuiceCluster.StartAsync(1, Storage.Of(StorageKind.Grain, _rows));
        var account = OrleansRowTests.Account(cluster, 1);
        await account.Deposit(1);
        await OrleansRowTests.AssertDrained(cluster, 1);
        await using (var rival = await PolyjuiceCluster.StartAsync(1, Storage.Of(StorageKind.Grain, _rows)))
            await OrleansRowTests.Account(rival, 1).Deposit(10);

        Assert.Equal(111, await account.Deposit(100));
        Assert.Equal(111, await account.GetBalance());
    }

    [Fact]
    public async Task A_grain_whose_row_cannot_be_read_says_so_in_bounded_time_and_works_again_afterwards()
    {
        _rows.At = static (_, _) => throw new IOException("The database is away.");
        await using var cluster = await PolyjuiceCluster.StartAsync(1, silo =>
        {
            Storage.Of(StorageKind.Grain, _rows)(silo);

            // It bounds the silo's start, too, and the call that is to succeed: seconds, for a machine that stalls.
            silo.Configure<PolyjuiceOptions>(options => options.TakeOverTimeout = TimeSpan.FromSeconds(8));
            silo.Configure<PolyjuiceOptions>(options => options.Engine.TransactionTimeoutMicroseconds = 20_000_000);
        });
        var account = OrleansRowTests.Account(cluster, 1);

        await Assert.ThrowsAnyAsync<Exception>(() => account.Deposit(1));
        _rows.At = static (_, _) => default;
        Assert.Equal(1, await account.Deposit(1));
    }

    [Fact]
    public async Task Transactions_of_states_in_rows_and_in_logs_mix()
    {
        await using var cluster = await PolyjuiceCluster.StartAsync(
            2, Storage.Of(StorageKind.Grain, _rows), client => client.UsePolyjuice());
        var transactions = cluster.Client.ServiceProvider.GetRequiredService<ITransactionClient>();
        for (var key = 0; key < 4; key++)
        {
            var grain = key;
            await transactions.RunTransaction(TransactionOption.Create, async () =>
            {
                await cluster.Client.GetGrain<Grains.IAccount>(grain).Deposit(5);
                await OrleansRowTests.Account(cluster, grain).Deposit(7);
            });
        }

        for (var key = 0; key < 4; key++)
        {
            Assert.Equal(5, await cluster.Client.GetGrain<Grains.IAccount>(key).GetBalance());
            Assert.Equal(7, await OrleansRowTests.Account(cluster, key).GetBalance());
        }
    }

    private Task<InProcessTestCluster> StartImpatientAsync() => PolyjuiceCluster.StartAsync(1, silo =>
    {
        Storage.Of(StorageKind.Grain, _rows)(silo);
        silo.Configure<PolyjuiceOptions>(options => options.StateStorageTimeout = TimeSpan.FromMilliseconds(200));
    });

    // One call, at the first such moment, waits for as long as the task does.
    private Func<int> HangOnce(StorageMoment when, Task until)
    {
        var hung = 0;
        _rows.At = async (moment, _) =>
        {
            if (moment == when && Interlocked.Exchange(ref hung, 1) == 0) await until;
        };
        return () => Volatile.Read(ref hung);
    }
}
