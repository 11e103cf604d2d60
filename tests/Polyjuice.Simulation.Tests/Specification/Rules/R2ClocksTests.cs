using Polyjuice.Simulation.Specification.Events;
using Polyjuice.Storage;
using Polyjuice.Wire;
using static Polyjuice.Simulation.Tests.Specification.Trace;

namespace Polyjuice.Simulation.Tests.Specification.Rules;

public class R2ClocksTests
{
    private readonly Trace _trace = new();

    [Fact]
    public void A_clock_that_leads_too_far_is_not_believed()
    {
        var heard = new ClockHeard(First, Agent, Clock: 101, Last: 0, Limit: 100, OldestLive: 1);
        Refused("R2", () => _trace.Specification.Accept(heard));
        _trace.Specification.Accept(heard with { Last = 101 });
        _trace.Specification.Accept(heard with { Clock = 100 });
    }

    [Fact]
    public void A_timestamp_is_raised_only_where_that_is_allowed()
    {
        _trace.Access(1, 0);
        _trace.Access(2, 1);
        _trace.Specification.Accept(new PrepareSent(_trace.PrepareOf(1, 0, 100)));
        Refused("R2", () => _trace.Specification.Accept(_trace.OrderedOf(1, 0, 101, Update(0, default, 1, 101))));
        _trace.Specification.Accept(
            new PrepareSent(_trace.PrepareOf(2, 1, 100, manager: 1) with { Flags = MessageFlags.MayRaise }));
        _trace.Specification.Accept(_trace.OrderedOf(2, 1, 101, Update(1, default, 2, 101), manager: 1));
    }

    [Fact]
    public void What_is_ordered_moves_only_while_nobody_has_read_it()
    {
        _trace.Access(1, 0);
        _trace.Access(2, 0);
        _trace.Order(1, 0, 100, Update(0, default, 1, 100));
        _trace.Order(1, 0, 110, Update(0, default, 1, 110), round: 2);
        _trace.Order(2, 0, 120, Read(0, Version(1), 120), manager: -1, dependencies: [1]);
        Refused("R2", () => _trace.Order(1, 0, 130, Update(0, default, 1, 130), round: 3));
    }
}
