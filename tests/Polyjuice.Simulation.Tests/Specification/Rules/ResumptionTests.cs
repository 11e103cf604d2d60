using Polyjuice.Simulation.Specification.Events;
using static Polyjuice.Simulation.Tests.Specification.Trace;

namespace Polyjuice.Simulation.Tests.Specification.Rules;

public class ResumptionTests
{
    private readonly Trace _trace = new();

    [Fact]
    public void A_body_is_served_again_what_still_holds()
    {
        Serve(1);
        Serve(2);
        Serve(3);
        _trace.Specification.Accept(new AccessRefuted(First, T(1), 2));
        _trace.Specification.Accept(new AccessServedAgain(First, T(1), X, 1));
        Refused("resumption", () => _trace.Specification.Accept(new AccessServedAgain(First, T(1), X, 2)));
        Refused("resumption", () => _trace.Specification.Accept(new AccessServedAgain(First, T(1), X, 3)));
    }

    [Fact]
    public void What_was_made_anew_holds_again()
    {
        Serve(1);
        _trace.Specification.Accept(new AccessRefuted(First, T(1), 1));
        Serve(1);
        _trace.Specification.Accept(new AccessServedAgain(First, T(1), X, 1));
    }

    [Fact]
    public void What_it_was_never_served_is_not_served_again()
    {
        Serve(1);
        Refused("resumption", () => _trace.Specification.Accept(new AccessServedAgain(First, T(1), Y, 1)));
        Refused("resumption", () => _trace.Specification.Accept(new AccessServedAgain(First, T(2), X, 1)));
    }

    private void Serve(int number) => _trace.Specification.Accept(new AccessServed(First, 0, T(1), X, default, number));
}
