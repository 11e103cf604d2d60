using Polyjuice.Contracts;
using Polyjuice.Simulation.Specification.Events;
using Polyjuice.Storage;
using static Polyjuice.Simulation.Tests.Specification.Trace;

namespace Polyjuice.Simulation.Tests.Specification.Rules;

public class OpacityTests
{
    [Fact]
    public void An_exception_of_user_code_surfaces_when_what_was_read_is_proven()
    {
        var trace = new Trace();
        trace.Access(1, 0);
        Refused("opacity", () => trace.Tell(1, AbortReason.UserException));
        trace.Order(1, 0, 100, Read(0, default, 100), manager: -1);
        Refused("V1", () => trace.Tell(1, AbortReason.UserException));
        trace.Say(0, trace.VoteOf(1, 0, 100, manager: -1, logged: false));
        trace.Tell(1, AbortReason.UserException);
    }
}
