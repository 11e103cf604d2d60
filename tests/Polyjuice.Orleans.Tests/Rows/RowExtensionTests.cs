using Orleans;
using Orleans.Runtime;
using Polyjuice.Orleans.Rows;
using Polyjuice.Tests.Storages;
using Polyjuice.Orleans.Tests.Clusters;
using Polyjuice.Orleans.Tests.Grains;

namespace Polyjuice.Orleans.Tests.Rows;

/// <summary>Waking grains whose rows somebody needs.</summary>
public sealed class RowExtensionTests
{
    [Fact]
    public async Task A_grain_that_is_woken_takes_its_rows_over_and_says_which_it_has()
    {
        var rows = new StoredRows();
        await using var cluster = await PolyjuiceCluster.StartAsync(1, Storage.Of(StorageKind.Grain, rows));

        Assert.True(await OrleansRowTests.Account(cluster, 1).AsReference<IRowExtension>().Wake("balance"));

        // Nothing is undecided there: the fence goes with what is stored first.
        Assert.Empty(rows.Keys);
        Assert.Equal(1, await OrleansRowTests.Account(cluster, 1).Deposit(1));
        Assert.Single(rows.Keys);
        Assert.False(await OrleansRowTests.Account(cluster, 1).AsReference<IRowExtension>().Wake("another"));
        Assert.False(await cluster.Client.GetGrain<IAccount>(1).AsReference<IRowExtension>().Wake("balance"));
    }

    [Fact]
    public async Task An_idle_grain_that_was_deactivated_finds_its_state_again()
    {
        var rows = new StoredRows();
        await using var cluster = await PolyjuiceCluster.StartAsync(1, Storage.Of(StorageKind.State, rows));
        var account = OrleansRowTests.Account(cluster, 1);

        for (var round = 1; round <= 5; round++)
        {
            Assert.Equal(round, await account.Deposit(1));
            await cluster.DeactivateAsync(account);
        }

        Assert.Equal(5, await account.GetBalance());
    }
}
