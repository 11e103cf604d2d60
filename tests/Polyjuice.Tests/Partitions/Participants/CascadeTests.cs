using Polyjuice.Contracts;
using Polyjuice.Partitions;
using Polyjuice.Policies;
using Polyjuice.Tests.Agents;
using Polyjuice.Versions;
using Polyjuice.Waits;
using Polyjuice.Wire;

namespace Polyjuice.Tests.Partitions.Participants;

/// <summary>Exposure before ordering, and what goes with a version that goes: R4.</summary>
public sealed class CascadeTests
{
    private readonly OwnerBench _bench = new();

    private Participant Account => _bench.Participant(0);

    [Fact]
    public void A_version_that_fits_on_the_tip_is_exposed_and_the_next_one_on_top_of_it()
    {
        var before = Account.Last;
        var first = Exposed();
        Assert.Same(first.Write, Account.Tip);
        var second = Exposed();
        Assert.Same(first.Write, second.Read);
        Assert.Same(second.Write, Account.Tip);
        Assert.Equal(2, Account.Exposed.Count);
        Assert.Same(before, Account.Last);
        Assert.True(Account.HasWriters);
    }

    [Fact]
    public void Policies_see_who_has_written_as_soon_as_that_is_exposed()
    {
        var branch = _bench.Access([0]);

        // As long as it is private.
        Account.Unlist(branch);
        Account.List(branch, AccessKind.Update, listed: false);
        Assert.True(Exposure.TryExpose(EntryOf(branch)));
        Assert.True(Assert.Single(Account.Accessors).IsListed);
    }

    [Fact]
    public void What_is_exposed_already_stays_as_it_is()
    {
        var first = Exposed();
        Assert.True(Exposure.TryExpose(first));
        Assert.Equal(1, Account.Exposed.Count);
    }

    [Fact]
    public void A_version_that_does_not_fit_on_the_tip_stays_private()
    {
        var late = EntryOf(_bench.Access([0]));
        Exposed();
        Assert.False(Exposure.TryExpose(late));
        Assert.Equal((VersionStatus.Private, 1), (late.Write!.Status, Account.Exposed.Count));
    }

    [Fact]
    public void Who_only_read_has_nothing_to_expose()
    {
        Assert.False(Exposure.TryExpose(EntryOf(_bench.Access([], reads: [0]))));
        Assert.Equal(0, Account.Exposed.Count);
    }

    [Fact]
    public void All_that_a_running_transaction_has_written_is_exposed_at_once()
    {
        var branch = _bench.Access([0, 3]);
        Exposure.ExposeAll(branch);
        Assert.Equal((1, 1), (Account.Exposed.Count, _bench.Participant(3).Exposed.Count));
        var both = _bench.Access([0], reads: [3]);
        Exposure.ExposeAll(both);
        Assert.Equal((2, 1), (Account.Exposed.Count, _bench.Participant(3).Exposed.Count));
    }

    [Fact]
    public void What_has_ended_exposes_nothing()
    {
        var branch = _bench.Access([0]);
        branch.State = BranchState.Aborted;
        Exposure.ExposeAll(branch);
        Assert.Equal(0, Account.Exposed.Count);
    }

    [Fact]
    public void A_private_version_goes_alone()
    {
        var (entry, other) = (EntryOf(_bench.Access([0])), _bench.Access([0]));
        _bench.Owner.RemoveVersion(entry.Write!);
        Assert.Equal(VersionStatus.Removed, entry.Write!.Status);
        Assert.Null(other.Transaction.Doom);
    }

    [Fact]
    public void An_exposed_version_takes_along_what_was_built_upon_it_and_who_has_read_it()
    {
        var bystander = _bench.Access([], reads: [0]);
        var first = Exposed();
        var reader = _bench.Access([], reads: [0]);
        var second = Exposed();
        var late = _bench.Access([], reads: [0]);
        var third = Exposed();
        _bench.Owner.RemoveVersion(second.Write!);
        Assert.Equal(
            [VersionStatus.Exposed, VersionStatus.Removed, VersionStatus.Removed],
            new[] { first, second, third }.Select(static entry => entry.Write!.Status));
        Assert.Equal(1, Account.Exposed.Count);
        Assert.Same(first.Write, Account.Tip);
        Assert.Equal(AbortReason.Cascade, late.Transaction.Doom!.Reason);
        Assert.Equal(AbortReason.Cascade, third.Write!.Writer!.Transaction.Doom!.Reason);
        Assert.Null(second.Write!.Writer!.Transaction.Doom);
        Assert.Null(reader.Transaction.Doom);
        _bench.Owner.RemoveVersion(first.Write!);
        Assert.Equal(AbortReason.Cascade, reader.Transaction.Doom!.Reason);
        Assert.Null(bystander.Transaction.Doom);
        Assert.Equal(0, Account.Exposed.Count);
    }

    [Fact]
    public void Who_is_ordered_where_others_have_exposed_takes_their_place_and_dooms_them()
    {
        var rival = _bench.Access([0]);
        var (first, second) = (Exposed(), Exposed());
        Ordered(_bench.Hear(_bench.Prepare(rival, manager: 1)));
        Assert.Equal(0, Account.Exposed.Count);
        Assert.Same(EntryOf(rival).Write, Account.Last);
        foreach (var entry in new[] { first, second })
        {
            Assert.Equal(VersionStatus.Removed, entry.Write!.Status);
            Assert.Equal(AbortReason.Cascade, entry.Write!.Writer!.Transaction.Doom!.Reason);
        }
    }

    [Fact]
    public void Who_is_ordered_and_was_exposed_keeps_what_was_built_upon_it()
    {
        var (first, second) = (Exposed(), Exposed());
        Ordered(_bench.Hear(_bench.Prepare(first.Write!.Writer!, manager: 1)));
        Assert.Equal(
            (VersionStatus.Ordered, VersionStatus.Exposed, 1),
            (first.Write!.Status, second.Write!.Status, Account.Exposed.Count));
        Assert.Same(second.Write, Account.Tip);
        Assert.Null(second.Write!.Writer!.Transaction.Doom);
    }

    [Fact]
    public void A_prepare_that_was_built_on_an_exposed_version_waits_until_that_is_ordered()
    {
        var (first, second) = (Exposed(), Exposed());
        Assert.Empty(_bench.Hear(_bench.Prepare(second.Write!.Writer!, manager: 1)));
        Assert.True(second.Write!.Writer!.IsParked);
        Assert.Equal(1, _bench.Node.Engine.Waits.Count);
        var replies = _bench.Hear(_bench.Prepare(first.Write!.Writer!, manager: 1))
            .Where(static message => message.Kind == MessageKind.PrepareReply).ToList();

        // It names a timestamp from before, which would not do any more.
        Assert.Equal(
            [MessageFlags.Committed, MessageFlags.Aborted | MessageFlags.Asks],
            replies.Select(static reply => reply.Flags).Order());
        Assert.Equal(0, _bench.Node.Engine.Waits.Count);
        Assert.False(second.Write!.Writer!.IsParked);
    }

    [Fact]
    public void A_prepare_that_waits_for_what_aborts_is_refused()
    {
        var (first, second) = (Exposed(), Exposed());
        var waiting = second.Write!.Writer!;
        Assert.Empty(_bench.Hear(_bench.Prepare(waiting, manager: 1)));
        var writer = first.Write!.Writer!;
        _bench.Node.Turn(() => _bench.Owner.Abandon(writer.Id));
        var reply = Assert.Single(_bench.Wait(1_000), static message => message.Kind == MessageKind.PrepareReply);
        Assert.Equal(
            (waiting.Id, MessageFlags.Aborted | MessageFlags.Final, AbortReason.Cascade),
            (reply.Transaction, reply.Flags, (AbortReason)reply.Count));
        Assert.Equal(0, _bench.Node.Engine.Waits.Count);
    }

    [Fact]
    public void An_ordered_version_takes_along_all_that_was_ordered_or_exposed_upon_it()
    {
        var before = Account.Last;
        var first = _bench.Access([0]);
        _bench.Hear(_bench.Prepare(first, manager: 1));
        var second = _bench.Access([0]);
        _bench.Hear(_bench.Prepare(second, manager: 1));
        var exposed = Exposed();
        _bench.Hear(_bench.Outcome(first.Id, MessageFlags.Aborted | MessageFlags.Final));
        Assert.Equal((BranchState.Aborted, BranchState.Aborted), (first.State, second.State));
        Assert.Equal((VersionStatus.Removed, 0), (exposed.Write!.Status, Account.Exposed.Count));
        Assert.Equal(AbortReason.Cascade, exposed.Write!.Writer!.Transaction.Doom!.Reason);
        Assert.Same(before, Account.Last);
        Assert.Null(before.Next);
    }

    [Fact]
    public void What_is_exposed_upon_an_ordered_version_is_not_to_be_read_any_more_when_that_goes()
    {
        var before = Account.Last;
        var ordered = _bench.Access([0]);
        _bench.Hear(_bench.Prepare(ordered, manager: 1));
        var (first, second) = (Exposed(), Exposed());
        _bench.Owner.RemoveVersion(EntryOf(ordered).Write!);
        Assert.Same(before, Account.Tip);
        foreach (var entry in new[] { first, second })
        {
            Assert.Equal(VersionStatus.Removed, entry.Write!.Status);
            Assert.Equal(AbortReason.Cascade, entry.Write!.Writer!.Transaction.Doom!.Reason);
        }
    }

    [Fact]
    public void Who_has_read_an_ordered_version_that_goes_can_not_commit_and_who_has_read_the_one_below_can()
    {
        var bystander = _bench.Access([], reads: [0]);
        var first = _bench.Access([0]);
        _bench.Hear(_bench.Prepare(first, manager: 1));
        var reader = _bench.Access([], reads: [0]);
        var second = _bench.Access([0]);
        _bench.Hear(_bench.Prepare(second, manager: 1));
        var late = _bench.Access([], reads: [0]);
        _bench.Hear(_bench.Outcome(first.Id, MessageFlags.Aborted | MessageFlags.Final));
        Assert.Equal(AbortReason.Cascade, reader.Transaction.Doom!.Reason);
        Assert.Equal(AbortReason.Cascade, late.Transaction.Doom!.Reason);
        Assert.Null(bystander.Transaction.Doom);
    }

    [Fact]
    public void The_manager_of_what_goes_along_is_asked_to_abort_it_unless_it_is_managed_here()
    {
        var first = _bench.Access([0]);
        _bench.Hear(_bench.Prepare(first, manager: 1));
        var elsewhere = _bench.Access([0]);
        _bench.Hear(_bench.Prepare(elsewhere, manager: 2, parts: [_bench.Use(0), _bench.Use(2)]));
        var here = _bench.Access([0]);
        _bench.Hear(_bench.Prepare(here, parts: [_bench.Use(0), _bench.Use(1)]));
        var said = _bench.Hear(_bench.Outcome(first.Id, MessageFlags.Aborted | MessageFlags.Final));
        var request = Assert.Single(said, static message => message.Kind == MessageKind.AbortRequest);
        Assert.Equal(
            (elsewhere.Id, 2, 0, OwnerBench.OtherEpoch),
            (request.Transaction, request.Partition, request.FromPartition, request.ManagerEpoch));
        Assert.Equal((BranchState.Aborted, DecisionState.Aborted), (here.State, _bench.StateOf(here)));
        Assert.Equal(
            here.Id, Assert.Single(said, static message => message.Kind == MessageKind.AgentOutcome).Transaction);
    }

    [Fact]
    public void How_many_an_aborted_version_took_along_is_published()
    {
        var cascades = new List<int>();
        using var listener = EngineMeter.Listen(_bench.Node, "polyjuice.cascade.length");
        listener.SetMeasurementEventCallback<int>((_, value, _, _) => cascades.Add(value));
        var branches = Enumerable.Range(0, 3).Select(_ =>
        {
            var branch = _bench.Access([0]);
            _bench.Hear(_bench.Prepare(branch, manager: 1));
            return branch;
        }).ToList();
        _bench.Hear(_bench.Outcome(branches[0].Id, MessageFlags.Aborted | MessageFlags.Final));
        Assert.Equal([2], cascades);
    }

    [Fact]
    public void What_was_ordered_below_a_version_that_goes_stays()
    {
        var first = _bench.Access([0]);
        _bench.Hear(_bench.Prepare(first, manager: 1));
        var second = _bench.Access([0]);
        _bench.Hear(_bench.Prepare(second, manager: 1));
        _bench.Hear(_bench.Outcome(second.Id, MessageFlags.Aborted | MessageFlags.Final));
        Assert.Equal((BranchState.Logged, BranchState.Aborted), (first.State, second.State));
        Assert.Same(EntryOf(first).Write, Account.Last);
        Assert.Null(Account.Last.Next);
    }

    private AccessEntry Exposed()
    {
        var entry = EntryOf(_bench.Access([0]));
        Assert.True(Exposure.TryExpose(entry));
        return entry;
    }

    private AccessEntry EntryOf(Branch branch) => branch.EntryOf(Account)!;

    private static void Ordered(List<Message> said) =>
        Assert.Equal(
            MessageFlags.Committed,
            Assert.Single(said, static message => message.Kind == MessageKind.PrepareReply).Flags);
}
