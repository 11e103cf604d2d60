using Polyjuice.Simulation.Specification.Events;
using Polyjuice.Storage;
using static Polyjuice.Simulation.Tests.Specification.Trace;

namespace Polyjuice.Simulation.Tests.Specification.Rules;

public class L4CeilingTests
{
    private readonly Trace _trace = new();

    [Fact]
    public void Nothing_is_ordered_or_read_above_the_durable_ceiling()
    {
        _trace.Access(1, 0);
        _trace.Access(2, 0);
        Refused("L4", () => _trace.Order(1, 0, Ceiling + 1, Read(0, default, Ceiling + 1), manager: -1));
        Refused(
            "L4",
            () => _trace.Specification.Accept(
                new SnapshotServed(First, 0, T(3), X, default, Ceiling + 1, Ceiling + 1)));
        _trace.Order(2, 0, Ceiling, Read(0, default, Ceiling), manager: -1);
        _trace.Specification.Accept(new SnapshotServed(First, 0, T(3), X, default, Ceiling, Ceiling));
    }

    [Fact]
    public void A_successor_orders_writes_above_it_once_its_clock_has_passed_it()
    {
        var epoch = _trace.Own(Successor, 0);
        _trace.Write(Successor, 0, new LoggedRecord { Kind = LogRecordKind.Ceiling, Ceiling = 2 * Ceiling });
        _trace.Specification.Accept(new AccessServed(Successor, 0, T(1), X, default, 1));
        Refused("L4", () => Order(Ceiling, Ceiling));
        Refused("L4", () => Order(Ceiling + 1, Ceiling >> 8));
        Order(Ceiling + 1, (Ceiling >> 8) + 1);

        void Order(long timestamp, long now)
        {
            _trace.Specification.Accept(new PrepareSent(_trace.PrepareOf(1, 0, timestamp) with { Epoch = epoch }));
            _trace.Specification.Accept(
                _trace.OrderedOf(1, 0, timestamp, Update(0, default, 1, timestamp)) with
                {
                    Node = Successor, Now = now
                });
        }
    }

    [Fact]
    public void Nobody_is_told_of_a_commit_in_the_future()
    {
        _trace.Access(1, 0);
        _trace.Order(1, 0, 100 << 8, Read(0, default, 100 << 8), manager: -1);
        _trace.Say(0, _trace.VoteOf(1, 0, 100 << 8, manager: -1, logged: false));
        Refused("L4", () => _trace.Tell(1, timestamp: 100 << 8, now: 99));
        _trace.Tell(1, timestamp: 100 << 8, now: 100);
    }
}
