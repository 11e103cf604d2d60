using Polyjuice.Simulation.Specification.Events;
using Polyjuice.Storage;
using static Polyjuice.Simulation.Tests.Specification.Trace;

namespace Polyjuice.Simulation.Tests.Specification.Rules;

public class L3AppendsTests
{
    private readonly Trace _trace = new();

    [Fact]
    public void The_same_batch_is_tried_at_the_same_position()
    {
        var asked = _trace.Ask(First, 0, Record(LogRecordKind.Ceiling));
        _trace.Specification.Accept(asked);
        Refused("L3", () => _trace.Specification.Accept(asked with { Position = asked.Position + 1 }));
    }

    [Fact]
    public void No_other_batch_takes_the_place_of_one_that_may_be_written_yet()
    {
        var asked = _trace.Ask(First, 0, Record(LogRecordKind.Ceiling));
        Refused("L3", () => _trace.Specification.Accept(asked with { Batch = _trace.NextBatch(First) }));
    }
}
