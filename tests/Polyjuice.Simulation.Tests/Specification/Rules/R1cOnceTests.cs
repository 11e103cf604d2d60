using Polyjuice.Simulation.Specification.Events;
using Polyjuice.Storage;
using Polyjuice.Wire;
using static Polyjuice.Simulation.Tests.Specification.Trace;

namespace Polyjuice.Simulation.Tests.Specification.Rules;

public class R1cOnceTests
{
    private readonly Trace _trace = new();

    [Fact]
    public void A_call_runs_once_while_its_transaction_does()
    {
        var call = new CallEntered(First, T(1), Agent, 5);
        _trace.Specification.Accept(call);
        _trace.Access(1, 0);
        Refused("R1c", () => _trace.Specification.Accept(call));
        _trace.Specification.Accept(call with { CallId = 6 });
        _trace.Specification.Accept(new BranchEnded(First, 0, T(1), false));
        _trace.Specification.Accept(call);
        Refused("R1c", () => _trace.Access(1, 0));
    }

    [Fact]
    public void What_is_over_at_its_agent_is_served_nothing_and_not_remembered_anew()
    {
        _trace.Specification.Accept(new ClockHeard(First, Agent, 0, 0, 0, 5));
        _trace.Access(5, 0);
        Refused("R1c", () => _trace.Access(4, 0));
        Refused("R1c", () => _trace.Specification.Accept(new BranchEnded(First, 0, T(4), false)));
        _trace.Specification.Accept(new BranchEnded(First, 0, T(6), false));
    }

    [Fact]
    public void A_round_that_was_refused_is_not_ordered()
    {
        _trace.Access(1, 0);
        _trace.Specification.Accept(new PrepareSent(_trace.PrepareOf(1, 0, 100)));
        _trace.Say(
            0,
            new Message
            {
                Kind = MessageKind.PrepareReply,
                Transaction = T(1),
                FromPartition = 0,
                Round = 1,
                Flags = MessageFlags.Aborted | MessageFlags.Asks
            });
        Refused("R1c", () => _trace.Order(1, 0, 100, Update(0, default, 1, 100)));
        _trace.Order(1, 0, 101, Update(0, default, 1, 101), round: 2);
    }
}
