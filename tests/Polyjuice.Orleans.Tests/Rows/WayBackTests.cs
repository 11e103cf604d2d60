using Orleans.Configuration;
using Orleans.Hosting;
using Polyjuice.Tests.Storages;
using Polyjuice.Orleans.Tests.Clusters;
using Polyjuice.Orleans.Tests.Grains;

namespace Polyjuice.Orleans.Tests.Rows;

/// <summary>Rows that this engine has left, taken over by Orleans' own on a real cluster.</summary>
public sealed class WayBackTests
{
    private const int Accounts = 6;

    private readonly StoredRows _rows = new();

    [Theory]
    [InlineData(StorageKind.Grain)]
    [InlineData(StorageKind.State)]
    public async Task Orleans_goes_on_with_rows_that_were_drained(StorageKind kind)
    {
        int[] left;
        await using (var cluster = await PolyjuiceCluster.StartAsync(2, Storage.Of(kind, _rows)))
        {
            for (var key = 0; key < Accounts; key++) await OrleansRowTests.Account(cluster, key).Deposit(100);
            await Task.WhenAll(Enumerable.Range(0, 8).Select(async client =>
            {
                var random = new Random(client);
                for (var i = 0; i < 20; i++)
                {
                    var from = random.Next(Accounts);
                    await OrleansRowTests.Account(cluster, from)
                        .TransferTo((from + 1 + random.Next(Accounts - 1)) % Accounts, 1 + random.Next(5));
                }
            }));
            await OrleansRowTests.AssertDrained(cluster, Accounts);
            left = new int[Accounts];
            for (var key = 0; key < Accounts; key++)
                left[key] = await OrleansRowTests.Account(cluster, key).GetBalance();
        }

        Assert.Equal(100 * Accounts, left.Sum());
        await using (var orleans = await PolyjuiceCluster.StartOrleansAsync(2, Storage.Of(kind, _rows)))
        {
            await OrleansRowTests.AssertBalances(orleans, left);
            await OrleansRowTests.Account(orleans, 0).TransferTo(1, 7);
            (left[0], left[1]) = (left[0] - 7, left[1] + 7);
            await OrleansRowTests.AssertBalances(orleans, left);
        }

        // And forth again.
        await using var again = await PolyjuiceCluster.StartAsync(1, Storage.Of(kind, _rows));
        await OrleansRowTests.AssertBalances(again, left);
        await OrleansRowTests.Account(again, 1).TransferTo(0, 7);
    }

    [Fact]
    public async Task A_row_with_something_undecided_is_reported_and_drains_once_it_is_decided()
    {
        await using var cluster = await PolyjuiceCluster.StartAsync(1, silo =>
        {
            Storage.Of(StorageKind.Grain, _rows)(silo);

            // It stays undecided until it is let go, however long the machine takes to ask.
            silo.Configure<PolyjuiceOptions>(
                options => (options.Engine.TransactionTimeoutMicroseconds, options.Engine.PrepareTimeoutMicroseconds) =
                    (25_000_000, 20_000_000));
        });
        for (var key = 0; key < 2; key++) await OrleansRowTests.Account(cluster, key).Deposit(100);
        await OrleansRowTests.AssertDrained(cluster, 2);
        var gate = new WriteGate(_rows, writes: 2);
        var transfer = OrleansRowTests.Account(cluster, 0).TransferTo(1, 40);
        await gate.Held;

        var reports = new List<RowReport>();
        for (var key = 0; key < 2; key++)
            reports.AddRange(
                await Drains.Of(cluster).DrainAsync(OrleansRowTests.Account(cluster, key).GetGrainId(), TimeSpan.Zero));

        Assert.Contains(reports, report => report is { IsDrained: false, State: "balance", PreparedStates: 1 });
        gate.Open();
        await transfer;
        await OrleansRowTests.AssertDrained(cluster, 2);
        await OrleansRowTests.AssertBalances(cluster, 60, 140);
    }

    [Fact]
    public async Task A_grain_without_rows_has_nothing_to_drain()
    {
        await using var cluster = await PolyjuiceCluster.StartAsync(1);

        Assert.Empty(
            await Drains.Of(cluster)
                .DrainAsync(cluster.Client.GetGrain<IAccount>(1).GetGrainId(), TimeSpan.FromSeconds(1)));
    }
}
