using Polyjuice.Simulation.Faults;

namespace Polyjuice.Simulation.Tests.Faults;

public class FaultNamesTests
{
    [Theory]
    [InlineData("none", FaultKinds.None)]
    [InlineData("all", FaultKinds.All)]
    [InlineData("network,crash", FaultKinds.AllNetwork | FaultKinds.AllCrash)]
    [InlineData("silo-crash", FaultKinds.Crash)]
    [InlineData("clock, crash-mid-batch", FaultKinds.AllClock | FaultKinds.CrashMidBatch)]
    internal void Names_stand_for_groups_and_kinds(string text, FaultKinds kinds) =>
        Assert.Equal(kinds, FaultNames.Parse(text));

    [Fact]
    public void What_is_formatted_is_parsed_back()
    {
        foreach (var kind in FaultLedger.Kinds)
        {
            Assert.Equal(kind, FaultNames.Parse(FaultNames.Format(kind)));
            Assert.Equal(FaultKinds.All & ~kind, FaultNames.Parse(FaultNames.Format(FaultKinds.All & ~kind)));
        }
    }

    [Fact]
    public void An_unknown_name_is_refused_with_the_known_ones()
    {
        var refused = Assert.Throws<ArgumentException>(() => FaultNames.Parse("network,fire"));
        Assert.Contains("'fire'", refused.Message, StringComparison.Ordinal);
        Assert.Contains("one-way-partition", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Every_kind_is_in_the_group_of_all()
    {
        foreach (var kind in FaultLedger.Kinds) Assert.Equal(kind, FaultKinds.All & kind);
    }
}
