using Polyjuice.Simulation.Specification.Events;
using Polyjuice.Storage;
using Polyjuice.Wire;
using static Polyjuice.Simulation.Tests.Specification.Trace;

namespace Polyjuice.Simulation.Tests.Specification.Rules;

public class R4CascadeTests
{
    private readonly Trace _trace = new();

    public R4CascadeTests()
    {
        _trace.Access(1, 0);
        _trace.Access(2, 0);
        _trace.Access(3, 0);
        _trace.Order(3, 0, 50, Read(0, default, 50), manager: -1);
        _trace.Order(1, 0, 100, Update(0, default, 1, 100));
        _trace.Order(2, 0, 110, Update(0, Version(1), 2, 110), dependencies: [1]);
    }

    private static VersionRemoved Removed(long readTimestamp) => new(First, 0, X, Version(1), default, readTimestamp);

    [Fact]
    public void What_was_built_on_an_aborted_version_aborts_in_the_same_turn()
    {
        Abort(1);
        _trace.Specification.Accept(Removed(100));
        Refused("R4", () => _trace.Specification.Accept(new TurnEnded(First)));
        _trace.Specification.Accept(new BranchEnded(First, 0, T(2), false));
        _trace.Specification.Accept(new TurnEnded(First));
    }

    [Fact]
    public void A_read_timestamp_stays_when_the_version_above_leaves()
    {
        Abort(1);
        Refused("R4", () => _trace.Specification.Accept(Removed(0)));
        _trace.Specification.Accept(Removed(100));
    }

    [Fact]
    public void Only_what_has_aborted_leaves() => Refused("R4", () => _trace.Specification.Accept(Removed(100)));

    private void Abort(int transaction)
    {
        _trace.Say(0, Word(MessageKind.AgentOutcome, transaction, 0, MessageFlags.Aborted | MessageFlags.Final));
        _trace.Specification.Accept(new BranchEnded(First, 0, T(transaction), false));
    }
}
