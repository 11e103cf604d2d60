using Polyjuice.Simulation.Specification.Events;
using Polyjuice.Storage;
using static Polyjuice.Simulation.Tests.Specification.Trace;

namespace Polyjuice.Simulation.Tests.Specification.Rules;

public class L1FenceTests
{
    private readonly Trace _trace = new();

    [Fact]
    public void A_successor_serves_behind_its_own_fence()
    {
        Refused("L1", () => _trace.Specification.Accept(new OwnerFenced(Successor, 0, _trace.EndOf(0))));
        _trace.Own(Successor, 0);
    }

    [Fact]
    public void Behind_a_fence_there_are_only_batches_of_its_owner()
    {
        _trace.Own(Successor, 0);
        Refused("L1", () => _trace.Write(First, 0, Record(LogRecordKind.Ceiling)));
    }

    [Fact]
    public void What_follows_an_append_under_way_is_to_be_right_behind_it()
    {
        var before = _trace.Ask(First, 0, Record(LogRecordKind.Ceiling));
        var next = new AppendAsked(
            First, 0, before.Position + 1, _trace.NextBatch(First), null, [Record(LogRecordKind.Ceiling)]);
        Refused("L1", () => _trace.Specification.Accept(next));
        Refused("L1", () => _trace.Specification.Accept(next with { Behind = new BatchId(9, 9) }));
        _trace.Specification.Accept(next with { Behind = before.Batch });
    }
}
