using Orleans;
using Polyjuice.Orleans.Tests.Grains;
using Polyjuice.Testing;

namespace Polyjuice.Orleans.Tests.Groups;

/// <summary>Grains of one group, on two silos with four log partitions.</summary>
public sealed class GroupedGrainsTests : IAsyncLifetime, IDisposable
{
    private const int Depots = 16;
    private readonly string _folder = Directory.CreateTempSubdirectory("polyjuice-tests-").FullName;
    private PolyjuiceTestCluster? _cluster;

    private PolyjuiceTestCluster Cluster => _cluster!;

    public async Task InitializeAsync() => await StartAsync();

    public async Task DisposeAsync() => await Cluster.DisposeAsync();

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public void They_are_on_one_silo_and_groups_are_on_both()
    {
        var used = new HashSet<TestSilo>();
        for (var depot = 0; depot < Depots; depot++)
        {
            var silo = Cluster.SiloOf(Depot(depot))!;
            used.Add(silo);
            for (var shelf = 0; shelf < 100; shelf++) Assert.Same(silo, Cluster.SiloOf(Shelf(depot, shelf)));
            foreach (var bin in (string[])["a", "b", "c"]) Assert.Same(silo, Cluster.SiloOf(Bin(depot, bin)));
        }

        Assert.Equal(2, used.Count);
    }

    [Fact]
    public async Task What_is_committed_is_there_after_a_restart_from_the_logs()
    {
        for (var depot = 0; depot < Depots; depot++) await Depot(depot).Store([depot], ["a"], depot + 1);
        await Cluster.DisposeAsync();

        await StartAsync();

        for (var depot = 0; depot < Depots; depot++)
        {
            var stored = new[]
            {
                await Depot(depot).Get(), await Shelf(depot, depot).Get(), await Bin(depot, "a").Get()
            };
            Assert.All(stored, amount => Assert.Equal(depot + 1, amount));
        }
    }

    [Fact]
    public async Task They_go_on_together_when_their_silo_crashes()
    {
        for (var depot = 0; depot < Depots; depot++) await Depot(depot).Store([1], ["a"], 1);

        await Cluster.Silos[1].CrashAsync();
        await Cluster.WhenServedAsync();

        for (var depot = 0; depot < Depots; depot++)
        {
            await Depot(depot).Store([1], ["a"], 1);
            Assert.Equal((2, 2), (await Shelf(depot, 1).Get(), await Bin(depot, "a").Get()));
        }
    }

    [Theory]
    [InlineData("ann", "threw System.FormatException: ann names no region")]
    [InlineData("lost", "gave null")]
    public async Task A_call_of_a_grain_without_a_group_says_so(string key, string problem)
    {
        Assert.Equal(1, await Cluster.Grains.GetGrain<ICourier>("north:ann").Ride());

        var exception = await Assert.ThrowsAsync<TransactionGroupException>(
            () => Cluster.Grains.GetGrain<ICourier>(key).Ride());

        Assert.Contains(problem, exception.Message, StringComparison.Ordinal);
        Assert.Contains($"courier/{key}", exception.Message, StringComparison.Ordinal);
        Assert.Equal(2, await Cluster.Grains.GetGrain<ICourier>("north:ann").Ride());
    }

    private async Task StartAsync() => _cluster = await PolyjuiceTestCluster.StartAsync(options =>
        (options.Silos, options.Partitions, options.DataFolder) = (2, 4, _folder));

    private IDepot Depot(int depot) => Cluster.Grains.GetGrain<IDepot>(depot);

    private IShelf Shelf(int depot, int shelf) => Cluster.Grains.GetGrain<IShelf>((depot * 100) + shelf);

    private IBin Bin(int depot, string bin) => Cluster.Grains.GetGrain<IBin>($"bin-{depot}-{bin}");
}
