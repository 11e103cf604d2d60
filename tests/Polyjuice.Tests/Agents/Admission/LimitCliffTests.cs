using Polyjuice.Agents;

namespace Polyjuice.Tests.Agents.Admission;

public sealed class LimitCliffTests
{
    private LimitCliff _cliff = new();

    [Fact]
    public void Before_anything_has_failed_any_limit_will_do() =>
        Assert.Equal(ConflictLimit.Open, _cliff.Below(ConflictLimit.Open));

    [Fact]
    public void A_limit_that_fails_after_a_lower_one_did_not_is_kept_away_from_for_a_while()
    {
        Fall();
        Assert.Equal((4, 5, 5), (_cliff.Below(4), _cliff.Below(6), _cliff.Below(9)));
        for (var i = 0; i < 64; i++) _cliff.Fine(4);
        Assert.Equal(6, _cliff.Below(6));
    }

    [Fact]
    public void The_more_often_it_fails_the_longer_it_is_kept_away_from()
    {
        Fall();
        for (var i = 0; i < 64; i++) _cliff.Fine(4);
        Fall();
        for (var i = 0; i < 127; i++) _cliff.Fine(4);
        Assert.Equal(5, _cliff.Below(6));
        _cliff.Fine(4);
        Assert.Equal(6, _cliff.Below(6));
    }

    [Fact]
    public void When_it_fails_no_more_that_is_forgotten()
    {
        Fall();
        for (var i = 0; i < 64; i++) _cliff.Fine(4);
        _cliff.Fine(6);
        Fall();
        for (var i = 0; i < 64; i++) _cliff.Fine(4);
        Assert.Equal(6, _cliff.Below(6));
    }

    [Fact]
    public void On_the_way_down_from_what_was_far_too_high_nothing_is_kept_away_from()
    {
        foreach (var limit in new[] { 16, 8, 4 }) _cliff.Failed(limit);
        Assert.Equal(16, _cliff.Below(16));
    }

    private void Fall()
    {
        _cliff.Fine(4);
        _cliff.Failed(6);
    }
}
