using Polyjuice.Storage;

namespace Polyjuice.Embedded.Tests.RealTime;

/// <summary>Grains with states in rows, beside others in logs.</summary>
public sealed class RowStoreTests
{
    private readonly MemoryRowStore _rows = new();

    [Fact]
    public async Task A_transaction_spans_rows_and_logs()
    {
        await using var cluster = await Start(2);
        await cluster.Client.GetGrain<ISavings>("s").SaveFrom("a", 30);
        Assert.Equal((130, 130), await cluster.Client.GetGrain<ISavings>("s").Get());
        Assert.Equal(70, await cluster.Client.GetGrain<IAccount>("a").Get());
        Assert.Equal(1, _rows.Count);
    }

    [Fact]
    public async Task What_a_row_holds_survives_the_grain_and_the_silo()
    {
        await using var cluster = await Start(2);
        for (var kill = 0; kill < 4; kill++)
        {
            for (var i = 0; i < 6; i++) await cluster.Client.GetGrain<ISavings>("s" + i).SaveFrom("a" + i, 1);
            for (var i = 0; i < 6; i++) await cluster.Client.GetGrain<ISavings>("s" + i).Leave();
            for (var i = 0; i < 6; i++) Assert.Equal((101 + kill, 101 + kill), await cluster.Client.GetGrain<ISavings>("s" + i).Get());
            await cluster.Silos[kill % 2].KillAsync();
            await cluster.Silos[kill % 2].RestartAsync();
        }

        for (var i = 0; i < 6; i++)
        {
            Assert.Equal((104, 104), await cluster.Client.GetGrain<ISavings>("s" + i).Get());
            Assert.Equal(96, await cluster.Client.GetGrain<IAccount>("a" + i).Get());
        }
    }

    [Fact]
    public async Task A_cluster_finds_the_rows_that_another_one_has_left()
    {
        var logs = new MemoryLogStore(2);
        for (var run = 1; run <= 3; run++)
        {
            await using var cluster = await Start(2, options => options.LogStore = logs);
            await Task.WhenAll(Enumerable.Range(0, 20).Select(i => cluster.Client.GetGrain<ISavings>("s" + (i % 3)).Save(1)));
            var sum = 0;
            for (var i = 0; i < 3; i++) sum += (await cluster.Client.GetGrain<ISavings>("s" + i).Get()).Saved;
            Assert.Equal(300 + (20 * run), sum);
        }
    }

    [Fact]
    public async Task A_row_that_cannot_be_read_refuses_its_grain_with_the_reason()
    {
        await using (var cluster = await Start(1)) await cluster.Client.GetGrain<ISavings>("s").Save(1);
        var row = _rows.Open<Balance>(_grain, "saved");
        var content = await row.LoadAsync(CancellationToken.None);
        await row.StoreAsync(content.ETag, content.Metadata with { TimeStamp = DateTime.UtcNow.AddDays(2) }, [], null, null, CancellationToken.None);

        await using var again = await Start(1);
        var refused = await Assert.ThrowsAnyAsync<Exception>(() => again.Client.GetGrain<ISavings>("s").Save(1));
        Assert.Contains("ahead of this machine's clock", refused.ToString(), StringComparison.Ordinal);
    }

    private string _grain = "";

    private async Task<EmbeddedCluster> Start(int silos, Action<EmbeddedClusterOptions>? configure = null)
    {
        var cluster = await TestCluster.StartAsync(silos, options =>
        {
            options.RowStores["rows"] = _rows;
            configure?.Invoke(options);
        });
        _grain = cluster.Client.GetGrain<ISavings>("s").GetGrainId().ToString();
        return cluster;
    }
}
