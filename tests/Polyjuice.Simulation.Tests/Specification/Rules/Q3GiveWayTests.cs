using static Polyjuice.Simulation.Tests.Specification.Trace;

namespace Polyjuice.Simulation.Tests.Specification.Rules;

public class Q3GiveWayTests
{
    private readonly QueueTrace _queue = new();

    [Fact]
    public void The_one_that_comes_before_goes_first()
    {
        _queue.Join(2);
        _queue.Hold(2);
        _queue.Join(3);
        Refused("Q3", () => _queue.GiveWay(2, to: 3));
        Refused("Q3", () => _queue.GiveWay(2, to: 1));
        Refused("Q3", () => _queue.GiveWay(3, to: 2));
        _queue.Join(1);
        _queue.GiveWay(2, to: 1);
    }

    [Fact]
    public void Whose_body_has_begun_keeps_what_it_holds()
    {
        BeginSecondBeforeFirst();
        Refused("Q3", () => _queue.GiveWay(2, to: 1));
    }

    [Fact]
    public void Nobody_counts_on_what_a_deposed_owner_gave()
    {
        BeginSecondBeforeFirst();
        _queue.Trace.Fence(Successor, 0);
        _queue.GiveWay(2, to: 1);
    }

    [Fact]
    public void What_it_gave_is_not_counted_on()
    {
        _queue.Ask(2, entries: 1);
        _queue.Join(2);
        _queue.Hold(2);
        _queue.SayHeld(2, 0, 1);
        _queue.CountNoLonger(2, at: 0, generation: 1);
        Refused("Q4", () => _queue.Begin(2));
        _queue.SayHeld(2, 0, 1, generation: 1);
        _queue.Begin(2);
    }

    private void BeginSecondBeforeFirst()
    {
        _queue.Ask(2, entries: 1);
        _queue.Join(2);
        _queue.Hold(2);
        _queue.SayHeld(2, 0, 1);
        _queue.Begin(2);
        _queue.Join(1);
    }
}
