using Orleans.TestingHost;
using Polyjuice.Tests.Storages;
using Polyjuice.Orleans.Tests.Clusters;
using Polyjuice.Orleans.Tests.Grains;

namespace Polyjuice.Orleans.Tests.Rows;

/// <summary>Rows that Orleans' own engine has left on a real cluster, taken over by this one.</summary>
public sealed class OrleansRowTests
{
    private readonly StoredRows _rows = new();

    [Theory]
    [InlineData(StorageKind.Grain)]
    [InlineData(StorageKind.State)]
    public async Task What_Orleans_has_committed_is_read(StorageKind kind)
    {
        await using (var orleans = await PolyjuiceCluster.StartOrleansAsync(2, Storage.Of(kind, _rows)))
        {
            for (var key = 0; key < 6; key++) await Account(orleans, key).Deposit(100 + key);
            await Account(orleans, 0).TransferTo(5, 30);
        }

        await using var cluster = await PolyjuiceCluster.StartAsync(2, Storage.Of(kind, _rows));
        await AssertBalances(cluster, 70, 101, 102, 103, 104, 135);
        await Account(cluster, 5).TransferTo(0, 5);
        await AssertBalances(cluster, 75, 101, 102, 103, 104, 130);
    }

    [Theory]
    [InlineData(StorageKind.Grain)]
    [InlineData(StorageKind.State)]
    public async Task What_was_prepared_commits_if_its_manager_had_recorded_that(StorageKind kind)
    {
        // The participant's prepare and the manager's commit record are stored; the confirmation is not.
        await KillOrleansAfter(kind, writes: 2, isTold: true);
        Assert.Equal(1, RowsWithPreparedStates());

        await using var cluster = await PolyjuiceCluster.StartAsync(2, Storage.Of(kind, _rows));
        await AssertBalances(cluster, 60, 140);
        await AssertDrained(cluster, 2);
    }

    [Theory]
    [InlineData(StorageKind.Grain)]
    [InlineData(StorageKind.State)]
    public async Task What_was_prepared_aborts_if_its_manager_had_recorded_nothing(StorageKind kind)
    {
        await KillOrleansAfter(kind, writes: 1, isTold: false);
        Assert.Equal(1, RowsWithPreparedStates());

        await using var cluster = await PolyjuiceCluster.StartAsync(2, Storage.Of(kind, _rows));
        await AssertBalances(cluster, 100, 100);
        await Account(cluster, 0).TransferTo(1, 1);
        await AssertBalances(cluster, 99, 101);
        await AssertDrained(cluster, 2);
    }

    internal static IRowAccount Account(InProcessTestCluster cluster, long key) =>
        cluster.Client.GetGrain<IRowAccount>(key);

    internal static async Task AssertBalances(InProcessTestCluster cluster, params int[] expected)
    {
        for (var key = 0; key < expected.Length; key++)
            Assert.Equal((key, expected[key]), (key, await Account(cluster, key).GetBalance()));
    }

    internal static async Task AssertDrained(InProcessTestCluster cluster, int accounts)
    {
        for (var key = 0; key < accounts; key++)
        {
            var reports = await Drains.Of(cluster)
                .DrainAsync(Account(cluster, key).GetGrainId(), TimeSpan.FromMinutes(2));
            Assert.True(Assert.Single(reports).IsDrained, reports[0].ToString());
        }
    }

    // One transfer of 40 from an account with 100 to another, of which so many stores get through.
    private async Task KillOrleansAfter(StorageKind kind, int writes, bool isTold)
    {
        await using var orleans = await PolyjuiceCluster.StartOrleansAsync(1, Storage.Of(kind, _rows));
        for (var key = 0; key < 2; key++) await Account(orleans, key).Deposit(100);

        // Whatever follows the deposits is stored by the time that both have been read after a deactivation.
        for (var key = 0; key < 2; key++) await orleans.DeactivateAsync(Account(orleans, key));
        await AssertBalances(orleans, 100, 100);
        var gate = new WriteGate(_rows, writes);
        var transfer = Account(orleans, 0).TransferTo(1, 40);
        await gate.Held;
        if (isTold) await transfer;
        await orleans.KillSiloAsync(orleans.Silos[0]);
        gate.Fail();
        Assert.Equal(isTold, transfer.IsCompletedSuccessfully);
    }

    private int RowsWithPreparedStates() =>
        _rows.Keys.Count(key => StoredState.PreparedIn(_rows.Read(key).Content) > 0);
}
