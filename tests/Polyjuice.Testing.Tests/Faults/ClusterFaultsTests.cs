namespace Polyjuice.Testing.Tests.Faults;

public class ClusterFaultsTests
{
    [Fact]
    public async Task A_kind_with_a_duration_of_its_own_lasts_so_long_each_time()
    {
        var duration = TimeSpan.FromMilliseconds(70);
        await using var cluster = await PolyjuiceTestCluster.StartAsync();

        cluster.Faults = new ClusterFaults { Seed = 3, FaultsMax = 12 }
            .Every(FaultKind.AppendDelay, TimeSpan.FromMilliseconds(20), duration)
            .Every(FaultKind.NetworkDelay, TimeSpan.FromMilliseconds(20));
        while (cluster.FaultLedger!.Entries.Count < 12) await Task.Delay(10);
        await cluster.SettleAsync();

        var faults = cluster.FaultLedger.Entries.ToLookup(fault => fault.Kind);
        Assert.All(faults[FaultKind.AppendDelay], fault => Assert.Equal(duration, fault.Duration));
        Assert.DoesNotContain(faults[FaultKind.NetworkDelay], fault => fault.Duration == duration);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(601)]
    public void A_duration_has_bounds(int seconds) =>
        Assert.Throws<ArgumentOutOfRangeException>(
            () => new ClusterFaults().Every(FaultKind.Pause, TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(seconds)));
}
