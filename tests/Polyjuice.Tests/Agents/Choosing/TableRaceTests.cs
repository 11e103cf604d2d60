using Polyjuice.Agents;

namespace Polyjuice.Tests.Agents.Choosing;

public class TableRaceTests
{
    [Fact]
    public void It_is_over_at_once_where_there_is_no_rival()
    {
        var race = new TableRace(3, time: 0, []);
        Assert.Null(race.Next(null));
        Assert.Equal(3, race.Best);
    }

    [Fact]
    public void Each_rival_gets_two_windows_and_has_to_beat_the_best_so_far()
    {
        var race = new TableRace(0, time: 0, [1, 2]);
        Assert.Equal(1, race.Next(null));
        Assert.Equal(1, race.Next(-0.2));
        Assert.Equal(2, race.Next(-0.2));
        Assert.Equal(1, race.Best);
        Assert.Equal(2, race.Next(-0.1));
        Assert.Null(race.Next(-0.1));
        Assert.Equal(1, race.Best);
    }

    [Fact]
    public void Who_is_hardly_better_is_not_kept()
    {
        var race = new TableRace(0, time: 0, [1]);
        race.Next(null);
        race.Next(-0.04);
        Assert.Null(race.Next(-0.04));
        Assert.Equal(0, race.Best);
    }

    [Fact]
    public void Who_is_far_behind_gets_one_window()
    {
        var race = new TableRace(0, time: 0, [1, 2]);
        race.Next(null);
        Assert.Equal(2, race.Next(0.5));
    }
}
