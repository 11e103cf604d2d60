using Microsoft.Extensions.DependencyInjection;
using Orleans.Configuration;
using Orleans.Hosting;
using Polyjuice.Tests.Storages;
using Polyjuice.Orleans.Tests.Clusters;

namespace Polyjuice.Orleans.Tests.Rows;

/// <summary>All silos die in the middle of a commit, after so many stores; others find what is in the rows.</summary>
public sealed class KilledClusterTests
{
    private readonly StoredRows _rows = new();

    [Theory]
    [InlineData(StorageKind.Grain, 1)]
    [InlineData(StorageKind.Grain, 2)]
    [InlineData(StorageKind.Grain, 3)]
    [InlineData(StorageKind.State, 1)]
    [InlineData(StorageKind.State, 2)]
    [InlineData(StorageKind.State, 3)]
    public async Task A_transaction_is_done_or_not_and_done_if_its_caller_was_told(StorageKind kind, int writes)
    {
        bool wasTold;
        await using (var first = await PolyjuiceCluster.StartAsync(1, StoresAtOnce(kind)))
        {
            for (var key = 0; key < 2; key++) await OrleansRowTests.Account(first, key).Deposit(100);
            await OrleansRowTests.AssertDrained(first, 2);
            var gate = new WriteGate(_rows, writes);
            var transfer = OrleansRowTests.Account(first, 0).TransferTo(1, 40);
            await gate.Held;
            await first.KillSiloAsync(first.Silos[0]);
            wasTold = transfer.IsCompletedSuccessfully;
            gate.Fail();
        }

        await using var second = await PolyjuiceCluster.StartAsync(2, Storage.Of(kind, _rows));
        var left = await OrleansRowTests.Account(second, 0).GetBalance();
        Assert.Contains(left, wasTold ? (int[])[60] : [60, 100]);
        await OrleansRowTests.AssertBalances(second, left, 200 - left);
        await OrleansRowTests.Account(second, 1).TransferTo(0, 10);
        await OrleansRowTests.AssertBalances(second, left + 10, 190 - left);
    }

    // What nobody waits for, the third store of a transfer and those after it, would be stored seconds later.
    private Action<ISiloBuilder> StoresAtOnce(StorageKind kind) => silo =>
    {
        Storage.Of(kind, _rows)(silo);
        silo.Services.Configure<PolyjuiceOptions>(options => options.Engine.RowLingerMicroseconds = 0);
    };
}
