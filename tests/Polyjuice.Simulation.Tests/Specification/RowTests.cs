using Polyjuice.Contracts;
using Polyjuice.Partitions;
using Polyjuice.Simulation.Specification.Events;
using Polyjuice.Storage;
using Polyjuice.Wire;
using static Polyjuice.Simulation.Tests.Specification.Trace;

namespace Polyjuice.Simulation.Tests.Specification;

/// <summary>
/// A state in a row of its own: who has fenced it, what its owner recovers, and what is ordered there.
/// </summary>
public class RowTests
{
    private const int Row = PartitionNames.FirstRow;
    private const long Floor = 10;
    private const long Now = 1_000_000;
    private static readonly RowContents s_empty = new([], [], [], default, 0, Floor);

    private readonly Trace _trace = new();

    [Fact]
    public void Who_serves_a_row_has_stored_it_first()
    {
        Refused("L1", () => _trace.Specification.Accept(new OwnerFenced(First, Row, 8)));
        Store(First, 7);
        Refused("L1", () => _trace.Specification.Accept(new OwnerFenced(Second, Row, 8)));
        _trace.Specification.Accept(new OwnerFenced(First, Row, 8));
    }

    [Fact]
    public void Who_was_deposed_stores_a_row_no_more()
    {
        Own(First, 7, s_empty);
        Store(First, 8);
        Store(Second, 9);
        Refused("L1", () => Store(First, 10));
    }

    [Fact]
    public void Who_fences_a_row_later_has_found_nothing_undecided_in_it()
    {
        var undecided = s_empty with { Prepares = [PreparedBy(1, 100, default)] };
        var unresolved = s_empty with { Commits = [CommitRecord(1, 100, [0, 1], dependencies: [2]).Commit!] };
        Refused("L1", () => Load(First, 8, undecided));
        Refused("L1", () => Load(First, 8, unresolved));
        Load(First, 8, undecided with { Outcomes = [T(1)] });
    }

    [Fact]
    public void Of_rivals_that_have_loaded_one_row_one_stores_it()
    {
        Load(First, 8);
        Load(Second, 8);
        Store(Second, 7);
        Refused("L1", () => Store(First, 7));
        Store(Second, 8);
    }

    [Fact]
    public void Who_has_loaded_a_row_knows_what_was_there_before_a_rival_stored_it()
    {
        Store(Second, 7);
        Load(First, 8, s_empty with { Prepares = [PreparedBy(1, 100, default)] });
        Refused("L1", () => Store(First, 7));
    }

    [Fact]
    public void Who_has_no_fence_yet_votes_to_itself_alone()
    {
        Load(First, 8);
        Access(1);
        Order(1, 120, new OrderedAccess(X, default, 120, Version(1)));
        Say(Vote(Row));
        Refused("L1", () => Say(Vote(1)));
        Store(First, 7);
        Say(Vote(1));
    }

    [Fact]
    public void Who_has_no_fence_yet_says_only_what_it_has_loaded_and_of_what_it_has_ordered()
    {
        Load(First, 8, s_empty with { Outcomes = [T(2)] });
        Access(1);
        Order(1, 120, new OrderedAccess(X, default, 120, Version(1)));
        Refused("L1", () => Say(Word(MessageKind.Outcome, 3, Row, MessageFlags.Aborted | MessageFlags.Unknown)));
        Refused("L1", () => Say(Word(MessageKind.AgentOutcome, 1, Row, MessageFlags.Committed)));
        Refused("L1", () => Say(Word(MessageKind.Acknowledge, 1, Row, MessageFlags.None)));
        var answer = Word(MessageKind.DependencyAnswer, 1, Row, MessageFlags.Aborted) with { Other = T(3) };
        Refused("L1", () => Say(answer));
        Refused("L1", () => _trace.Specification.Accept(new BranchEnded(First, Row, T(1), true)));
        Ask(2, First, 7);
        Say(Word(MessageKind.AgentOutcome, 2, Row, MessageFlags.Committed));
        Say(Word(MessageKind.AgentOutcome, 1, Row, MessageFlags.Aborted));
        Store(First, 7);
        Say(Word(MessageKind.Outcome, 3, Row, MessageFlags.Aborted | MessageFlags.Unknown));
    }

    [Fact]
    public void Who_has_no_fence_yet_refuses_nothing_that_another_has_served()
    {
        Load(First, 8);
        Ask(1, Second, 8);
        Ask(2, First, 7);
        Ask(3, First, 8);
        Refused("L1", () => Say(Refusal(1)));
        Refused("L1", () => Say(Refusal(2)));
        Say(Refusal(3));
        Store(First, 7);
        Say(Refusal(1));
    }

    [Fact]
    public void What_a_rival_has_served_is_not_ordered_in_an_epoch_of_the_same_number()
    {
        Load(First, 8);
        Access(1);
        var access = new OrderedAccess(X, default, 120, Version(1));
        Refused("R1b", () => Order(1, 120, access, servedBy: Second));
        Order(1, 120, access);
    }

    [Fact]
    public void A_successor_takes_for_undecided_what_the_row_says()
    {
        var row = s_empty with
        {
            Prepares = [PreparedBy(1, 100, default), PreparedBy(2, 110, Version(1))], Outcomes = [T(1)]
        };
        Store(First, 7, row);
        _trace.Specification.Accept(new OwnerFenced(First, Row, 8));
        Refused("L2", () => _trace.Specification.Accept(new OwnerServes(First, Row, 8, [])));
        Refused("L2", () => _trace.Specification.Accept(new OwnerServes(First, Row, 8, [T(1), T(2)])));
        _trace.Specification.Accept(new OwnerServes(First, Row, 8, [T(2)]));
    }

    [Fact]
    public void An_update_is_built_on_the_last_version_in_the_row()
    {
        Own(First, 7, s_empty with { Prepares = [PreparedBy(1, 100, default)] }, 1);
        Access(2);
        Refused("R1", () => Order(2, 120, new OrderedAccess(X, default, 120, Version(2))));
        Order(2, 120, new OrderedAccess(X, Version(1), 120, Version(2)), dependency: 1);
    }

    [Fact]
    public void A_write_is_ordered_above_the_rows_time_stamp_and_a_read_below_it()
    {
        Own(First, 7, s_empty);
        Access(1);
        Refused("L4", () => Order(1, Floor, new OrderedAccess(X, default, Floor, Version(1))));
        Access(2);
        Refused("L4", () => Order(2, Ceiling + 1, new OrderedAccess(X, default, Ceiling + 1, null)));
        Access(3);
        Order(3, Ceiling + 1, new OrderedAccess(X, default, Ceiling + 1, Version(3)));
    }

    private RecoveredPrepare PreparedBy(int transaction, long timestamp, VersionId read) =>
        _trace.PrepareRecord(transaction, timestamp, read, parts: [0, 1]).Prepare!;

    private void Store(NodeId node, long position, RowContents? before = null) =>
        _trace.Specification.Accept(new RowWritten(Row, X, node, position, before ?? s_empty, Ceiling, []));

    private void Load(NodeId node, long epoch, RowContents? contents = null)
    {
        _trace.Specification.Accept(new RowLoaded(node, Row, epoch, X, contents ?? s_empty));
        _trace.Specification.Accept(new OwnerServes(node, Row, epoch, []));
    }

    private void Say(Message message) => _trace.Say(First, Row, message);

    private static Message Refusal(int transaction) =>
        Word(MessageKind.PrepareReply, transaction, Row, MessageFlags.Aborted | MessageFlags.Final) with { Round = 1 };

    private void Ask(int transaction, NodeId servedBy, long epoch)
    {
        var prepare = _trace.PrepareOf(transaction, 0, 120) with
        {
            Partition = Row,
            Epoch = epoch,
            Manager = Row,
            ManagerEpoch = epoch,
            Parts = [new ParticipantUse(Row, epoch, servedBy, 1, Writes: true)],
        };
        _trace.Specification.Accept(new PrepareSent(prepare));
    }

    private Message Vote(int manager) =>
        _trace.VoteOf(1, 0, 120) with { FromPartition = Row, Partition = manager, Epoch = 8, ManagerEpoch = 8 };

    private void Own(NodeId node, long position, RowContents before, params int[] undecided)
    {
        Store(node, position, before);
        _trace.Specification.Accept(new OwnerFenced(node, Row, position + 1));
        _trace.Specification.Accept(new OwnerServes(node, Row, position + 1, [.. undecided.Select(T)]));
    }

    private void Access(int transaction) =>
        _trace.Specification.Accept(new AccessServed(First, Row, T(transaction), X, default, 1));

    private void Order(
        int transaction, long timestamp, OrderedAccess access, int? dependency = null, NodeId? servedBy = null)
    {
        var prepare = _trace.PrepareOf(transaction, 0, timestamp) with
        {
            Partition = Row,
            Epoch = 8,
            Manager = Row,
            ManagerEpoch = 8,
            Parts = [new ParticipantUse(Row, 8, servedBy ?? First, 1, Writes: true)],
        };
        _trace.Specification.Accept(new PrepareSent(prepare));
        _trace.Specification.Accept(new TransactionOrdered(First, Row, T(transaction))
        {
            Round = 1, Timestamp = timestamp, Manager = Row, ManagerEpoch = 8, Parts = prepare.Parts!,
            Accesses = [access], Dependencies = dependency is { } other ? [T(other)] : [],
            WillLog = access.Write is not null, Now = Now,
        });
    }
}
