using Polyjuice.Simulation.Specification.Events;
using static Polyjuice.Simulation.Tests.Specification.Trace;

namespace Polyjuice.Simulation.Tests.Specification.Rules;

public class Q5ReleaseTests
{
    private readonly QueueTrace _queue = new();

    [Fact]
    public void What_is_over_has_left_the_queue_by_the_end_of_the_turn()
    {
        _queue.Join(1);
        _queue.Hold(1);
        _queue.End(1);
        Refused("Q5", () => _queue.Trace.Specification.Accept(new TurnEnded(First)));
    }

    [Fact]
    public void What_has_left_may_be_over()
    {
        _queue.Join(1);
        _queue.End(1);
        _queue.Leave(1);
        _queue.Trace.Specification.Accept(new TurnEnded(First));
    }
}
