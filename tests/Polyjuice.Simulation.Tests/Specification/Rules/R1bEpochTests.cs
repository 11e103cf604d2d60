using Polyjuice.Simulation.Specification.Events;
using Polyjuice.Storage;
using static Polyjuice.Simulation.Tests.Specification.Trace;

namespace Polyjuice.Simulation.Tests.Specification.Rules;

public class R1bEpochTests
{
    private readonly Trace _trace = new();

    [Fact]
    public void A_prepare_that_names_another_epoch_orders_nothing()
    {
        _trace.Access(1, 0);
        _trace.Specification.Accept(new PrepareSent(_trace.PrepareOf(1, 0, 100) with { Epoch = 7 }));
        Refused("R1b", () => _trace.Specification.Accept(_trace.OrderedOf(1, 0, 100, Update(0, default, 1, 100))));
        _trace.Order(1, 0, 100, Update(0, default, 1, 100));
    }

    [Fact]
    public void A_prepare_names_each_participant_once() =>
        Refused(
            "R1b", () => _trace.Specification.Accept(new PrepareSent(_trace.PrepareOf(1, 0, 100, parts: [0, 1, 0]))));

    [Fact]
    public void Who_has_served_nothing_orders_nothing() =>
        Refused("R1b", () => _trace.Order(1, 0, 100, Update(0, default, 1, 100)));
}
