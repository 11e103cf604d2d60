using Polyjuice.Simulation.Specification.Events;
using Polyjuice.Storage;
using static Polyjuice.Simulation.Tests.Specification.Trace;

namespace Polyjuice.Simulation.Tests.Specification.Rules;

public class R1aIdentityTests
{
    [Fact]
    public void Each_update_makes_a_version_of_another_name()
    {
        var trace = new Trace();
        trace.Access(1, 0);
        trace.Specification.Accept(new VersionWritten(First, 0, T(1), X, Version(1, 1)));
        trace.Specification.Accept(new VersionWritten(First, 0, T(1), X, Version(1, 2)));
        Refused("R1a", () => trace.Specification.Accept(new VersionWritten(First, 0, T(1), X, Version(1, 2))));
    }
}
