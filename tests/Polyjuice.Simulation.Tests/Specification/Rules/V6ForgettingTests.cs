using Polyjuice.Simulation.Specification.Events;
using Polyjuice.Storage;
using Polyjuice.Wire;
using static Polyjuice.Simulation.Tests.Specification.Trace;

namespace Polyjuice.Simulation.Tests.Specification.Rules;

public class V6ForgettingTests
{
    private const MessageFlags Unknown = MessageFlags.Aborted | MessageFlags.Final | MessageFlags.Unknown;

    private readonly Trace _trace = new();

    public V6ForgettingTests()
    {
        _trace.Prepare(1, 100);
        _trace.Commit(1, 100);
    }

    [Fact]
    public void What_is_acknowledged_was_appended_by_this_epoch()
    {
        var acknowledgement = Word(MessageKind.Acknowledge, 1, 1, MessageFlags.None, to: 0);
        Refused("V6", () => _trace.Say(1, acknowledgement));
        _trace.Write(1, Record(LogRecordKind.Outcome, 1));
        _trace.Say(1, acknowledgement);

        // The answer to a second append may come when the outcome is forgotten: it is in the log.
        _trace.Specification.Accept(new OutcomeForgotten(Second, 1, T(1)));
        _trace.Say(1, acknowledgement);
        _trace.Own(Successor, 1);
        Refused("V6", () => _trace.Say(Successor, 1, acknowledgement));
        _trace.Write(Successor, 1, Record(LogRecordKind.Outcome, 1));
        _trace.Say(Successor, 1, acknowledgement);
    }

    [Fact]
    public void A_manager_forgets_what_all_logs_have_and_the_caller_has_heard()
    {
        var forgotten = new DecisionForgotten(First, 0, T(1));
        Refused("V6", () => _trace.Specification.Accept(forgotten));
        _trace.Tell(1, timestamp: 100);
        Refused("V6", () => _trace.Specification.Accept(forgotten));
        _trace.Write(1, Record(LogRecordKind.Outcome, 1));
        _trace.Specification.Accept(forgotten);
    }

    [Fact]
    public void An_agent_that_has_died_has_nothing_to_hear()
    {
        _trace.Specification.Accept(new NodeDied(Agent));
        _trace.Write(1, Record(LogRecordKind.Outcome, 1));
        _trace.Specification.Accept(new DecisionForgotten(First, 0, T(1)));
    }

    [Fact]
    public void Unknown_is_said_of_a_commit_to_one_who_has_it()
    {
        _trace.Tell(1, timestamp: 100);
        Refused("V6", () => _trace.Say(0, Word(MessageKind.Outcome, 1, 0, Unknown, to: 1)));
        _trace.Write(1, Record(LogRecordKind.Outcome, 1));
        _trace.Say(0, Word(MessageKind.Outcome, 1, 0, Unknown, to: 1));
    }

    [Fact]
    public void An_outcome_is_kept_while_somebody_depends_on_it_who_is_not_finally_confirmed()
    {
        _trace.Access(2, 1);
        _trace.Order(2, 1, 110, Update(1, Version(1), 2, 110), parts: [0, 1], dependencies: [1]);
        var forgotten = new OutcomeForgotten(Second, 1, T(1));
        Refused("V6", () => _trace.Specification.Accept(forgotten));
        Refused(
            "V6",
            () => _trace.Say(
                1, Word(MessageKind.DependencyAnswer, 2, 1, MessageFlags.Aborted, to: 0) with { Other = T(1) }));
        _trace.Say(0, Word(MessageKind.Outcome, 2, 0, MessageFlags.Aborted | MessageFlags.Final));
        _trace.Specification.Accept(new BranchEnded(Second, 1, T(2), false));
        _trace.Specification.Accept(forgotten);
    }
}
