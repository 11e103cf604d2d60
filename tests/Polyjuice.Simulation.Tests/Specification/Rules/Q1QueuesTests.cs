using static Polyjuice.Simulation.Tests.Specification.Trace;

namespace Polyjuice.Simulation.Tests.Specification.Rules;

public class Q1QueuesTests
{
    private readonly QueueTrace _queue = new();

    [Fact]
    public void They_are_held_in_order()
    {
        _queue.Join(1);
        _queue.Join(2);
        _queue.Hold(1);
        Refused("Q1", () => _queue.Hold(2));
        _queue.Leave(1);
        _queue.Hold(2);
    }

    [Fact]
    public void Nobody_goes_past_one_that_waits_and_comes_before_it()
    {
        _queue.Join(1);
        _queue.Join(2);
        Refused("Q1", () => _queue.Hold(2));
    }

    [Fact]
    public void Who_is_older_or_began_to_reserve_before_may_go_first()
    {
        _queue.Join(3);
        _queue.Join(2, place: 9);
        _queue.Hold(2);
        _queue.Leave(2);
        _queue.Join(1, firstAttempt: 9);
        _queue.Hold(1);
    }

    [Fact]
    public void What_is_shared_is_held_by_many()
    {
        _queue.Join(1, isExclusive: false);
        _queue.Join(2, isExclusive: false);
        _queue.Hold(1, isExclusive: false);
        _queue.Hold(2, isExclusive: false);
        _queue.Join(3);
        Refused("Q1", () => _queue.Hold(3));
    }

    [Fact]
    public void It_is_held_once()
    {
        _queue.Join(1);
        Refused("Q1", () => _queue.Join(1));
        _queue.Hold(1);
        Refused("Q1", () => _queue.Hold(1));
        Refused("Q1", () => _queue.Hold(2));
    }

    [Fact]
    public void Who_is_over_is_in_nobodys_way()
    {
        _queue.Join(1);
        _queue.Hold(1);
        _queue.Join(2);
        _queue.End(1);
        _queue.Hold(2);
    }

    [Fact]
    public void Who_was_over_and_comes_once_more_is_in_the_way_like_any_other()
    {
        _queue.End(1);
        _queue.Join(1);
        _queue.Hold(1);
        _queue.Join(2);
        Refused("Q1", () => _queue.Hold(2));
    }

    [Fact]
    public void Who_gave_way_is_behind_the_other_one()
    {
        _queue.Join(2);
        _queue.Hold(2);
        _queue.Join(1);
        _queue.GiveWay(2, to: 1);
        _queue.Hold(1);
        Refused("Q1", () => _queue.Hold(2));
    }

    [Fact]
    public void What_was_handed_on_is_held_by_the_next_if_it_may_build_on_it()
    {
        _queue.Join(1, accesses: 1);
        _queue.Hold(1);
        _queue.Access(1);
        _queue.HandOn(1);
        _queue.Join(2);
        _queue.Hold(2);
        _queue.Leave(2);
        _queue.Join(3, readsLatest: false);
        Refused("Q1", () => _queue.Hold(3));
    }
}
