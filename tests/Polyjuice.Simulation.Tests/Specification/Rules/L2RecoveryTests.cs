using Polyjuice.Simulation.Specification.Events;
using Polyjuice.Storage;
using static Polyjuice.Simulation.Tests.Specification.Trace;

namespace Polyjuice.Simulation.Tests.Specification.Rules;

public class L2RecoveryTests
{
    private readonly Trace _trace = new();

    [Fact]
    public void A_successor_takes_for_undecided_what_its_log_says()
    {
        _trace.Prepare(1, 100);
        var epoch = _trace.Fence(Successor, 0);
        _trace.Specification.Accept(new OwnerFenced(Successor, 0, epoch));
        Refused("L2", () => _trace.Specification.Accept(new OwnerServes(Successor, 0, epoch, [])));
        Refused("L2", () => _trace.Specification.Accept(new OwnerServes(Successor, 0, epoch, [T(1), T(2)])));
        _trace.Specification.Accept(new OwnerServes(Successor, 0, epoch, [T(1)]));
    }

    [Fact]
    public void What_is_decided_or_was_built_on_what_aborted_is_not_undecided()
    {
        _trace.Access(1, 0, 1);
        _trace.Access(2, 0, 1);
        _trace.OrderBoth(1, 100);
        _trace.Order(2, 0, 110, Update(0, Version(1), 2, 110), parts: [0, 1], dependencies: [1]);
        _trace.Write(
            0,
            _trace.PrepareRecord(1, 100, default, parts: [0, 1]),
            _trace.PrepareRecord(2, 110, Version(1), parts: [0, 1], dependencies: [1]));
        _trace.Write(0, Record(LogRecordKind.Outcome, 1, committed: false));
        _trace.Own(Successor, 0);
    }

    [Fact]
    public void A_prepare_is_logged_of_what_was_ordered()
    {
        _trace.Access(1, 0, 1);
        Refused("L2", () => _trace.Write(0, _trace.PrepareRecord(1, 100, default, parts: [0, 1])));
    }

    [Fact]
    public void A_prepare_says_what_was_ordered()
    {
        _trace.Access(1, 0, 1);
        _trace.OrderBoth(1, 100);
        Refused("L2", () => _trace.Write(0, _trace.PrepareRecord(1, 101, default, parts: [0, 1])));
    }
}
