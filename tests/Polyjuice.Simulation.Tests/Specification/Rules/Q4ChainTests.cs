using static Polyjuice.Simulation.Tests.Specification.Trace;

namespace Polyjuice.Simulation.Tests.Specification.Rules;

public class Q4ChainTests
{
    private readonly QueueTrace _queue = new();

    [Fact]
    public void An_agent_asks_again_for_what_it_waits_for()
    {
        _queue.Ask(1, entries: 1, now: 100);
        _queue.Await(1, now: 109);
        Refused("Q4", () => _queue.Await(1, now: 110));
        _queue.Ask(1, entries: 1, now: 110);
        _queue.Await(1, now: 110);
    }

    [Fact]
    public void A_body_begins_when_all_is_held_or_it_goes_on_without()
    {
        _queue.Ask(1, entries: 2);
        _queue.SayHeld(1, 0, 1);
        Refused("Q4", () => _queue.Begin(1));
        _queue.SayHeld(1, 1, 2);
        _queue.Begin(1);
        Refused("Q4", () => _queue.Begin(1));
        _queue.Ask(2, entries: 1);
        _queue.Begin(2, isCutShort: true);
    }

    [Fact]
    public void What_waits_is_not_said_to_be_held()
    {
        _queue.Ask(1, entries: 1);
        _queue.Join(1);
        Refused("Q4", () => _queue.SayHeld(1, 0, 1));
        _queue.Hold(1);
        _queue.SayHeld(1, 0, 1);
    }
}
