using Polyjuice.Agents;
using Polyjuice.Contracts;

namespace Polyjuice.Tests.Agents.Choosing;

public class LoadCountsTests
{
    [Fact]
    public void They_are_read_from_engines_and_added_and_subtracted_one_by_one()
    {
        var engine = new EngineStatistics { Commits = 7, Attempts = 12, OpenMicroseconds = 900, Reservable = 12 };
        engine.AbortsByReason[(int)AbortReason.Validation] = 2;
        engine.AbortsByReason[(int)AbortReason.Wounded] = 3;
        engine.AbortsByReason[(int)AbortReason.UserException] = 5;
        engine.Observed.Accesses = 40;
        engine.Observed.Met = 9;
        var counts = LoadCounts.Of(engine);
        Assert.Equal(7, counts[LoadCount.Commits]);
        Assert.Equal(5, counts[LoadCount.Conflicts]);
        Assert.Equal(3, counts[LoadCount.Deadlocks]);
        Assert.Equal(40, counts[LoadCount.Accesses]);
        Assert.Equal(9, counts[LoadCount.Met]);
        Assert.Equal(12, counts[LoadCount.Reservable]);
        Assert.Equal(80, counts.And(counts)[LoadCount.Accesses]);
        Assert.Equal(LoadCounts.None, counts.Since(counts));
        Assert.Equal(LoadCounts.None.GetHashCode(), counts.Since(counts).GetHashCode());
        Assert.NotEqual(LoadCounts.None, counts);
    }

    [Fact]
    public void Values_have_the_order_of_the_names_and_missing_ones_are_none()
    {
        Assert.Equal(Enum.GetNames<LoadCount>(), LoadCounts.Names);
        Assert.Equal((5, 0), (LoadCounts.Of([5])[LoadCount.Commits], LoadCounts.Of([5])[LoadCount.Reservable]));
    }
}
