using Polyjuice.Orleans.Tests.GrainCode;
using Polyjuice.Storage;
using Polyjuice.Testing;

namespace Polyjuice.Orleans.Tests.Files;

/// <summary>Clusters on files: what one has committed, the next one finds.</summary>
public sealed class DataTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("polyjuice-tests-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public async Task What_one_cluster_has_committed_the_next_ones_find()
    {
        for (var run = 1; run <= 4; run++)
        {
            // Accounts open with 100. A small tail, so that the later ones recover by way of checkpoints.
            await using var cluster = await Start(
                2, options => options.ConfigureEngine = engine => engine.CheckpointBytes = 2_000);
            for (var i = 0; i < 40; i++)
            {
                await cluster.Grains.GetGrain<IWallet>("a" + i).Add(1);
                await cluster.Grains.GetGrain<ICashier>("m" + i).Transfer("a" + i, "b" + i, 1);
            }

            for (var i = 0; i < 40; i++)
            {
                Assert.Equal(100, await cluster.Grains.GetGrain<IWallet>("a" + i).Get());
                Assert.Equal(100 + run, await cluster.Grains.GetGrain<IWallet>("b" + i).Get());
            }
        }

        Assert.NotEmpty(Directory.EnumerateFiles(_folder, "*.checkpoint", SearchOption.AllDirectories));
    }

    [Fact]
    public async Task The_number_of_partitions_is_kept()
    {
        await using (await Start(3))
        {
        }

        await using (var cluster = await Start(1))
        {
            Assert.Equal(3, cluster.Silos[0].Engine.Readiness.Partitions);
        }

        var exception = await Assert.ThrowsAsync<LogUnusableException>(
            () => Start(1, options => options.Partitions = 2));
        Assert.Contains("created with 3", exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_second_cluster_on_the_same_folder_is_refused()
    {
        await using var cluster = await Start(1);
        await Assert.ThrowsAsync<LogDeviceLockedException>(() => Start(1));
    }

    [Fact]
    public async Task A_cluster_does_not_start_on_a_damaged_log_and_says_which_file()
    {
        await using (var cluster = await Start(1))
        {
            for (var i = 0; i < 10; i++) await cluster.Grains.GetGrain<IWallet>("a").Add(1);
        }

        var file = Directory.EnumerateFiles(_folder, "*.log", SearchOption.AllDirectories).Single();
        var bytes = await File.ReadAllBytesAsync(file);
        bytes[200] ^= 1;
        await File.WriteAllBytesAsync(file, bytes);
        var exception = await Assert.ThrowsAsync<LogDamagedException>(() => Start(1));
        Assert.Contains(file, exception.Message, StringComparison.Ordinal);
        Assert.Equal(bytes, await File.ReadAllBytesAsync(file));
    }

    private Task<PolyjuiceTestCluster> Start(int silos, Action<PolyjuiceTestClusterOptions>? configure = null) =>
        PolyjuiceTestCluster.StartAsync(options =>
        {
            options.Silos = silos;
            options.DataFolder = _folder;
            configure?.Invoke(options);
        });
}
