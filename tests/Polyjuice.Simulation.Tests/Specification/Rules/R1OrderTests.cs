using Polyjuice.Simulation.Specification.Events;
using Polyjuice.Storage;
using Polyjuice.Wire;
using static Polyjuice.Simulation.Tests.Specification.Trace;

namespace Polyjuice.Simulation.Tests.Specification.Rules;

public class R1OrderTests
{
    private readonly Trace _trace = new();

    [Fact]
    public void A_read_is_ordered_below_the_next_version_only()
    {
        _trace.Access(1, 0);
        _trace.Access(2, 0);
        _trace.Access(3, 0);
        _trace.Order(1, 0, 100, Update(0, default, 1, 100));
        _trace.Order(2, 0, 99, Read(0, default, 100), manager: -1);
        Refused("R1", () => _trace.Order(3, 0, 101, Read(0, default, 101), manager: -1));
    }

    [Fact]
    public void An_update_is_built_on_the_last_version_and_ordered_above_its_reads()
    {
        _trace.Access(1, 0);
        _trace.Access(2, 0);
        _trace.Access(3, 0);
        _trace.Order(1, 0, 100, Read(0, default, 100), manager: -1);
        Refused("R1", () => _trace.Order(2, 0, 100, Update(0, default, 2, 100)));
        _trace.Order(2, 0, 101, Update(0, default, 2, 101), round: 2);
        Refused("R1", () => _trace.Order(3, 0, 102, Update(0, default, 3, 102)));
        _trace.Order(3, 0, 102, Update(0, Version(2), 3, 102), round: 2, dependencies: [2]);
    }

    [Fact]
    public void A_read_leaves_a_read_timestamp()
    {
        _trace.Access(1, 0);
        Refused("R1", () => _trace.Order(1, 0, 100, Read(0, default, 0), manager: -1));
    }

    [Fact]
    public void Who_says_that_it_has_ordered_something_has()
    {
        _trace.Access(1, 0);
        _trace.Order(1, 0, 100, Update(0, default, 1, 100));
        var reply = new Message
        {
            Kind = MessageKind.PrepareReply,
            Transaction = T(1),
            FromPartition = 0,
            Round = 1,
            Timestamp = 100,
            Flags = MessageFlags.Committed
        };
        _trace.Say(0, reply);
        Refused("R1", () => _trace.Say(0, reply with { Timestamp = 99 }));
    }
}
