using static Polyjuice.Simulation.Tests.Specification.Trace;

namespace Polyjuice.Simulation.Tests.Specification.Rules;

public class Q2HandOnTests
{
    private readonly QueueTrace _queue = new();

    [Fact]
    public void It_is_handed_on_after_the_last_planned_access()
    {
        _queue.Join(1, accesses: 2);
        Refused("Q2", () => _queue.HandOn(1));
        _queue.Hold(1);
        _queue.Access(1);
        Refused("Q2", () => _queue.HandOn(1));
        _queue.Access(1);
        _queue.HandOn(1);
        Refused("Q2", () => _queue.HandOn(1));
    }

    [Fact]
    public void What_is_shared_or_of_no_known_accesses_is_kept()
    {
        _queue.Join(1);
        _queue.Hold(1);
        _queue.Access(1);
        Refused("Q2", () => _queue.HandOn(1));
        _queue.Leave(1);
        _queue.Join(2, isExclusive: false, accesses: 1);
        _queue.Hold(2, isExclusive: false);
        _queue.Access(2);
        Refused("Q2", () => _queue.HandOn(2, isExclusive: false));
    }

    [Fact]
    public void Nobody_hands_on_before_it_holds_all_that_it_reserves()
    {
        _queue.Ask(1, entries: 2);
        _queue.Join(1, accesses: 1);
        _queue.Hold(1);
        _queue.SayHeld(1, 0, 1);
        _queue.Access(1);
        Refused("Q2", () => _queue.HandOn(1));
        _queue.Begin(1, isCutShort: true);
        Refused("Q2", () => _queue.HandOn(1));
    }
}
