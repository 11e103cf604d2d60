using Microsoft.Extensions.Logging;
using Orleans.Hosting;
using Polyjuice.Orleans.Tests.Clusters;
using Polyjuice.Orleans.Tests.Grains;

namespace Polyjuice.Orleans.Tests.Rows;

public sealed class DebugTests
{
    [Fact]
    public async Task Works()
    {
        await using var cluster = await PolyjuiceCluster.StartAsync(1, silo => silo.AddMemoryGrainStorage(RowAccountGrain.Storage).ConfigureLogging(l => l.AddConsole().AddFilter("Polyjuice", LogLevel.Debug)));
        var one = cluster.Client.GetGrain<IRowAccount>(1);
        Assert.Equal(5, await one.Deposit(5));
        Assert.Equal(5, await one.GetBalance());
        await one.TransferTo(2, 3);
        Assert.Equal(2, await one.GetBalance());
    }
}
