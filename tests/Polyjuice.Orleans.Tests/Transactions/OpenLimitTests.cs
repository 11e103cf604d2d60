using Polyjuice.Agents;
using Polyjuice.Orleans.Transactions;
using Polyjuice.Waits;

namespace Polyjuice.Orleans.Tests.Transactions;

/// <summary>How many transactions a silo with two processors opens at a time.</summary>
public sealed class OpenLimitTests
{
    private const double Crowded = 100;
    private const double Usual = 20;
    private const double Free = 0;
    private const int First = 2 * OpenLimit.FirstPerProcessor;
    private const int Few = 2 * OpenLimit.FewPerProcessor;

    private readonly OpenLimit _limit;
    private double _pending = Usual;
    private EngineLoad _load;

    public OpenLimitTests() =>
        _limit = new OpenLimit(processors: 2, () => _pending, TimeSpan.FromSeconds(4)) { Load = () => _load };

    [Fact]
    public void It_stays_while_processors_have_as_much_to_do_as_they_can()
    {
        Adapt(times: 100, perSecond: 0);
        Assert.Equal(First, _limit.Value);
    }

    [Fact]
    public void It_falls_while_much_waits_for_processors_and_no_further_than_these_need()
    {
        _pending = Crowded;
        Adapt(times: 1_000, perSecond: 0);
        Assert.Equal(8, _limit.Value);
    }

    [Fact]
    public void It_stays_while_more_are_open_than_it_says_because_that_it_was_lowered_cannot_show_yet()
    {
        _pending = Crowded;
        _limit.Adapt(First, perSecond: 0, ended: First);
        var once = _limit.Value;
        Assert.True(once < First);

        _limit.Adapt(First, perSecond: 0, ended: First);

        Assert.Equal(once, _limit.Value);
    }

    [Fact]
    public void It_rises_while_processors_are_free_and_all_that_may_be_open_are()
    {
        _pending = Free;
        _limit.Adapt(First - 1, perSecond: 0, ended: First);
        Assert.Equal(First, _limit.Value);

        Adapt(times: 100, perSecond: 0);

        Assert.True(_limit.Value > 10 * First);
    }

    [Fact]
    public void It_falls_while_more_than_half_wait_for_each_other_although_processors_are_free()
    {
        (_pending, _load) = (Free, new EngineLoad(Held: 0, Waits: 201, Known: 400));
        Adapt(times: 1_000, perSecond: 0);
        Assert.Equal(Few, _limit.Value);
    }

    [Fact]
    public void It_stays_while_between_a_third_and_half_wait_for_each_other()
    {
        (_pending, _load) = (Free, new EngineLoad(Held: 0, Waits: 150, Known: 400));
        Adapt(times: 100, perSecond: 0);
        Assert.Equal(First, _limit.Value);
    }

    [Fact]
    public void It_rises_again_when_few_wait_for_each_other()
    {
        (_pending, _load) = (Free, new EngineLoad(Held: 0, Waits: 300, Known: 400));
        Adapt(times: 1_000, perSecond: 0);

        _load = new EngineLoad(Held: 0, Waits: 130, Known: 400);
        Adapt(times: 100, perSecond: 0);

        Assert.True(_limit.Value > First);
    }

    [Fact]
    public void A_few_that_wait_for_each_other_say_nothing()
    {
        (_pending, _load) = (Free, new EngineLoad(Held: 0, Waits: 20, Known: 20));
        Adapt(times: 10, perSecond: 0);
        Assert.True(_limit.Value > First);
    }

    [Fact]
    public void Waits_for_each_other_do_not_raise_what_crowded_processors_have_lowered()
    {
        _pending = Crowded;
        Adapt(times: 1_000, perSecond: 0);

        (_pending, _load) = (Usual, new EngineLoad(Held: 0, Waits: 300, Known: 400));
        Adapt(times: 100, perSecond: 0);

        Assert.Equal(8, _limit.Value);
    }

    // As many as end in a quarter of their patience, and a few where nothing ends.
    [Theory]
    [InlineData(100, 100, true)]
    [InlineData(100, 101, false)]
    [InlineData(0, 64, true)]
    [InlineData(0, 65, false)]
    public void It_rises_no_more_when_the_engine_holds_back_many(double perSecond, int held, bool rises)
    {
        (_pending, _load) = (Free, new EngineLoad(held, Waits: 0, Known: 10));
        Adapt(times: 100, perSecond);
        Assert.Equal(rises, _limit.Value > First);
    }

    [Fact]
    public void It_falls_when_the_engine_holds_back_more_than_twice_as_many()
    {
        (_pending, _load) = (Free, new EngineLoad(Held: 200, Waits: 0, Known: 10));
        Adapt(times: 1_000, perSecond: 100);
        Assert.Equal(First, _limit.Value);
        _load = _load with { Held = 201 };
        Adapt(times: 1_000, perSecond: 100);
        Assert.Equal(First / 2, _limit.Value);
    }

    [Theory]
    [InlineData(0, 1)]
    [InlineData(1, 1)]
    [InlineData(3, 3)]
    [InlineData(1_000, First / 16)]
    public void It_rises_by_as_many_as_have_ended_but_by_one_at_least_and_a_sixteenth_at_the_most(int ended, int more)
    {
        _pending = Free;
        _limit.Adapt(First, perSecond: 0, ended);
        Assert.Equal(First + more, _limit.Value);
    }

    [Fact]
    public void It_begins_anew_when_few_are_open_and_none_waits()
    {
        _pending = Free;
        Adapt(times: 40, perSecond: 0);
        var risen = _limit.Value;
        _limit.Rest(open: First);
        Assert.Equal(risen, _limit.Value);
        _limit.Rest(open: First - 1);
        Assert.Equal(First, _limit.Value);

        _pending = Crowded;
        Adapt(times: 1_000, perSecond: 0);
        var low = _limit.Value;
        _limit.Rest(open: 0);
        Assert.Equal((8, 8), (low, _limit.Value));
    }

    private void Adapt(int times, double perSecond)
    {
        for (var i = 0; i < times; i++) _limit.Adapt(_limit.Value, perSecond, ended: int.MaxValue);
    }
}
