using Polyjuice.Simulation.Specification.Events;
using Polyjuice.Storage;
using Polyjuice.Wire;
using static Polyjuice.Simulation.Tests.Specification.Trace;

namespace Polyjuice.Simulation.Tests.Specification.Rules;

public class V5ResolutionTests
{
    private const MessageFlags Final = MessageFlags.Committed | MessageFlags.Final;

    private readonly Trace _trace = new();

    public V5ResolutionTests()
    {
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
    }

    [Fact]
    public void A_record_names_what_is_undecided()
    {
        Refused("V5", () => _trace.Write(0, CommitRecord(2, 110, [0, 1], acknowledge: [1])));
    }

    [Fact]
    public void A_commit_is_told_and_resolved_when_all_has_committed_that_it_depends_on()
    {
        _trace.Write(0, CommitRecord(2, 110, [0, 1], acknowledge: [1], dependencies: [1]));
        Refused("V5", () => _trace.Say(0, Word(MessageKind.AgentOutcome, 2, 0, MessageFlags.Committed)));
        Refused(
            "V5",
            () => _trace.Say(
                0, Word(MessageKind.DependencyAnswer, 9, 0, MessageFlags.Committed) with { Other = T(2) }));
        _trace.Commit(1, 100);
        _trace.Say(0, Word(MessageKind.AgentOutcome, 2, 0, MessageFlags.Committed));
        Refused("V5", () => _trace.Say(0, Word(MessageKind.Outcome, 2, 0, Final)));
        _trace.Write(0, Record(LogRecordKind.Resolved, 2));
        _trace.Say(0, Word(MessageKind.Outcome, 2, 0, Final));
    }

    [Fact]
    public void A_resolution_is_logged_when_it_is_true()
    {
        _trace.Write(0, CommitRecord(2, 110, [0, 1], acknowledge: [1], dependencies: [1]));
        Refused("V5", () => _trace.Write(0, Record(LogRecordKind.Resolved, 2)));
    }

    [Fact]
    public void What_was_only_read_has_committed_when_its_writer_has()
    {
        _trace.Access(3, 0);
        _trace.Order(3, 0, 120, Read(0, Version(2), 120), manager: -1, dependencies: [2]);
        _trace.Say(0, _trace.VoteOf(3, 0, 120, manager: -1, logged: false, dependencies: [2]));
        Refused("V5", () => _trace.Tell(3, timestamp: 120));
    }
}
