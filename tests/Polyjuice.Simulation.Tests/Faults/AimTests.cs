using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Faults;

namespace Polyjuice.Simulation.Tests.Faults;

public class AimTests
{
    [Theory]
    [InlineData("silo-crash@Prepare#2")]
    [InlineData("loss@Outcome#1x3")]
    [InlineData("late-write@log.Commit%30")]
    [InlineData("duplication@Call#7")]
    public void What_is_read_is_written_back(string text) => Assert.Equal(text, Aim.Parse(text).ToString());

    [Theory]
    [InlineData("loss", "is no aim")]
    [InlineData("loss@Outcome", "is no aim")]
    [InlineData("fire@Outcome#1", "'fire'")]
    [InlineData("loss@Output#1", "'Output' is no step")]
    [InlineData("loss@log.Commit#1", "can't be aimed at log.Commit")]
    [InlineData("late-write@Prepare#1", "can't be aimed at Prepare")]
    [InlineData("network@Prepare#1", "can't be aimed at Prepare")]
    [InlineData("loss@Outcome#0", "at least 1")]
    [InlineData("loss@Outcome#1x0", "at least 1")]
    [InlineData("loss@Outcome%0", "from 1 to 100")]
    [InlineData("loss@Outcome%101", "from 1 to 100")]
    public void What_is_no_aim_is_refused_with_the_reason(string text, string why) =>
        Assert.Contains(why, Assert.Throws<ArgumentException>(() => Aim.Parse(text)).Message, StringComparison.Ordinal);

    [Fact]
    public void What_is_drawn_can_be_printed_and_strikes_by_the_allowed_faults_only()
    {
        var random = new SimulationRandom(1);
        var aims = RandomAims.Draw(random, FaultKinds.All, 500).ToArray();
        Assert.All(aims, aim => Assert.Equal(aim, Aim.Parse(aim.ToString())));
        Assert.True(aims.Select(aim => aim.Step).Distinct().Count() > 20);
        Assert.All(
            RandomAims.Draw(random, FaultKinds.Loss | FaultKinds.Crash, 200),
            aim => Assert.True(aim.Fault is FaultKinds.Loss or FaultKinds.Crash));
        Assert.Empty(RandomAims.Draw(random, FaultKinds.None, 200));
        Assert.Empty(RandomAims.Draw(random, FaultKinds.WildClock, 200));
    }
}
