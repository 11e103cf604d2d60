using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Orleans.Hosting;
using Orleans.Runtime;
using Orleans.TestingHost;
using Polyjuice.Orleans.Silos;
using Polyjuice.Orleans.Tests.Clusters;
using Polyjuice.Orleans.Tests.Grains;

namespace Polyjuice.Orleans.Tests.Silos;

/// <summary>
/// Silos that keep logs of their own do not form a cluster: each would serve its partitions from a history of its own.
/// </summary>
public sealed class LogGuardTests : IDisposable
{
    private readonly RefusedSilo _refused = new();
    private readonly string _folder = Directory.CreateTempSubdirectory("polyjuice-logs-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public async Task A_silo_with_logs_of_its_own_does_not_join()
    {
        await using var cluster = await StartAsync(
            (name, silo) => silo.AddFileLogAsDefault(options => options.Directory = Path.Combine(_folder, name)));
        await cluster.Client.GetGrain<IAccount>(1).Deposit(10);

        var refusal = await _refused.StartAsync(cluster);

        Assert.Contains("must share their logs", refusal?.ToString(), StringComparison.Ordinal);
        Assert.Contains(Path.Combine(_folder, "Silo_0"), refusal?.ToString(), StringComparison.Ordinal);
        await cluster.Client.GetGrain<IAccount>(1).Deposit(5);
        Assert.Equal(15, await cluster.Client.GetGrain<IAccount>(1).GetBalance());
    }

    [Fact]
    public async Task Silos_that_share_their_logs_do()
    {
        await using var cluster = await StartAsync((_, silo) => silo.AddMemoryLogAsDefault());
        await cluster.StartAdditionalSiloAsync();
        await cluster.Client.GetGrain<ITeller>(0).Transfer(1, 2, 0);
        var members =
            cluster.GetSiloServiceProvider(cluster.Silos[0].SiloAddress)
                .GetRequiredService<IClusterMembershipService>().CurrentSnapshot.Members.Values;
        Assert.Equal(2, members.Count(member => member.Status == SiloStatus.Active));
    }

    [Theory]
    [InlineData("a", "b", true)]
    [InlineData("a", "a", false)]
    [InlineData("a", "", false)]
    [InlineData("", "b", false)]
    public void Who_does_not_know_its_store_is_not_told_apart(string one, string other, bool isOther) =>
        Assert.Equal(isOther, new LogPlace(one, "here").IsOtherThan(new LogPlace(other, "there")));

    private async Task<InProcessTestCluster> StartAsync(Action<string, ISiloBuilder> configure)
    {
        var builder = new InProcessTestClusterBuilder(1);
        builder.ConfigureSilo((options, silo) =>
        {
            _refused.Watch(silo).ConfigureLogging(logging => logging.SetMinimumLevel(LogLevel.Warning)).UsePolyjuice();
            configure(options.SiloName, silo);
        });
        var cluster = builder.Build();
        await cluster.DeployAsync();
        return cluster;
    }
}
