using Polyjuice.Contracts;
using Polyjuice.Simulation.Specification.Events;
using Polyjuice.Storage;
using Polyjuice.Wire;
using static Polyjuice.Simulation.Tests.Specification.Trace;

namespace Polyjuice.Simulation.Tests.Specification.Rules;

public class V3AbortsTests
{
    private readonly Trace _trace = new();

    [Fact]
    public void Once_prepares_are_sent_a_caller_hears_of_an_abort_after_the_managers_answer()
    {
        _trace.Prepare(1, 100);
        Refused("V3", () => _trace.Tell(1, AbortReason.Validation));
        _trace.Tell(1, AbortReason.InDoubt);
        _trace.Say(0, Word(MessageKind.AgentOutcome, 1, 0, MessageFlags.Aborted | MessageFlags.Final));
        _trace.Tell(1, AbortReason.Validation);
    }

    [Fact]
    public void What_is_ordered_is_not_dropped_without_the_managers_word()
    {
        _trace.Prepare(1, 100);
        Refused("V3", () => _trace.Specification.Accept(new BranchEnded(Second, 1, T(1), false)));
        _trace.Say(0, Word(MessageKind.Outcome, 1, 0, MessageFlags.Aborted | MessageFlags.Final));
        _trace.Specification.Accept(new BranchEnded(Second, 1, T(1), false));
    }

    [Fact]
    public void No_abort_is_told_while_the_commit_record_is_on_its_way()
    {
        _trace.Prepare(1, 100);
        _trace.Vote(1, 100);
        _trace.Ask(First, 0, CommitRecord(1, 100, [0, 1], acknowledge: [1]));
        Refused(
            "V3",
            () => _trace.Say(0, Word(MessageKind.AgentOutcome, 1, 0, MessageFlags.Aborted | MessageFlags.Final)));
    }
}
