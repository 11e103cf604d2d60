using Polyjuice.Simulation.Specification.Events;
using Polyjuice.Storage;
using Polyjuice.Wire;
using static Polyjuice.Simulation.Tests.Specification.Trace;

namespace Polyjuice.Simulation.Tests.Specification.Rules;

public class V4PresumedTests
{
    private const MessageFlags Unknown = MessageFlags.Aborted | MessageFlags.Final | MessageFlags.Unknown;

    private readonly Trace _trace = new();

    [Fact]
    public void Who_says_unknown_remembers_that_it_can_never_commit()
    {
        Refused("V4", () => _trace.Say(0, Word(MessageKind.Outcome, 1, 0, Unknown)));
        _trace.Specification.Accept(new BranchEnded(First, 0, T(1), false));
        _trace.Say(0, Word(MessageKind.Outcome, 1, 0, Unknown));
        Refused("R1c", () => _trace.Access(1, 0));
    }

    [Fact]
    public void An_abort_that_was_inferred_is_logged_before_it_is_applied()
    {
        _trace.Prepare(1, 100);
        _trace.Say(1, _trace.VoteOf(1, 1, 100));
        _trace.Own(Successor, 0, 1);
        _trace.Say(Successor, 0, Word(MessageKind.Outcome, 1, 0, Unknown));
        Refused("V4", () => _trace.Specification.Accept(new BranchEnded(Second, 1, T(1), false)));
        _trace.Write(1, Record(LogRecordKind.Outcome, 1, committed: false));
        _trace.Specification.Accept(new BranchEnded(Second, 1, T(1), false));
    }

    [Fact]
    public void The_abort_of_what_is_recorded_is_logged_before_it_is_told()
    {
        var abort = Word(MessageKind.AgentOutcome, 2, 0, MessageFlags.Aborted | MessageFlags.Final);
        _trace.Access(1, 0, 1);
        _trace.Access(2, 0, 1);
        _trace.OrderBoth(1, 100);
        _trace.Order(2, 0, 110, Update(0, Version(1), 2, 110), parts: [0, 1], dependencies: [1]);
        _trace.Order(2, 1, 110, Update(1, Version(1), 2, 110), parts: [0, 1], dependencies: [1]);
        _trace.Write(
            0,
            _trace.PrepareRecord(1, 100, default, parts: [0, 1]),
            _trace.PrepareRecord(2, 110, Version(1), parts: [0, 1], dependencies: [1]));
        _trace.Write(
            1,
            _trace.PrepareRecord(1, 100, default, 1, parts: [0, 1]),
            _trace.PrepareRecord(2, 110, Version(1), 1, parts: [0, 1], dependencies: [1]));
        _trace.Say(0, _trace.VoteOf(2, 0, 110, dependencies: [1]));
        _trace.Say(1, _trace.VoteOf(2, 1, 110, dependencies: [1]));
        _trace.Write(0, CommitRecord(2, 110, [0, 1], acknowledge: [1], dependencies: [1]));
        Refused("V4", () => _trace.Say(0, abort));
        _trace.Write(0, Record(LogRecordKind.Resolved, 2, committed: false));
        _trace.Say(0, abort);
    }

    [Fact]
    public void The_abort_of_what_is_staged_is_logged_before_it_is_told()
    {
        var abort = Word(MessageKind.AgentOutcome, 1, 0, MessageFlags.Aborted | MessageFlags.Final);
        _trace.Prepare(1, 100, staged: true);
        Refused("V4", () => _trace.Say(0, abort));
        _trace.Write(0, Record(LogRecordKind.Outcome, 1, committed: false));
        _trace.Say(0, abort);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void What_goes_into_the_log_with_its_end_is_staged_for_nobody(bool together)
    {
        var abort = Word(MessageKind.AgentOutcome, 1, 0, MessageFlags.Aborted | MessageFlags.Final);
        var end = Record(LogRecordKind.Outcome, 1, committed: false);
        var prepare = _trace.PrepareRecord(1, 100, default, parts: [0, 1], staged: true);
        _trace.Access(1, 0, 1);
        _trace.OrderBoth(1, 100, staged: true);
        _trace.Ask(First, 0, together ? [prepare, end] : [prepare]);
        if (together) _trace.Say(0, abort);
        else Refused("V4", () => _trace.Say(0, abort));
    }

    [Fact]
    public void What_has_committed_does_not_abort()
    {
        _trace.Prepare(1, 100);
        _trace.Commit(1, 100);
        Refused(
            "V4",
            () => _trace.Say(0, Word(MessageKind.AgentOutcome, 1, 0, MessageFlags.Aborted | MessageFlags.Final)));
    }
}
