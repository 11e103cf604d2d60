using Polyjuice.Commit;
using Polyjuice.Execution;

namespace Polyjuice.Tests.Commit;

/// <summary>What an owner answers to a prepare: R1 and R2, message by message.</summary>
public sealed class PartitionOwnerOrderingTests
{
    private readonly OwnerBench _bench = new();

    [Fact]
    public void What_nothing_stands_against_is_ordered_at_the_timestamp_that_was_named()
    {
        var branch = _bench.Access([0], reads: [3]);
        var timestamp = _bench.Soon();
        var reply = _bench.Reply(_bench.Prepare(branch, timestamp: timestamp, parts: [_bench.Use(0), _bench.Use(1)], manager: 1));
        Assert.Equal((MessageFlags.Committed, timestamp, 1, _bench.Owner.Epoch), (reply.Flags, reply.Timestamp, reply.Round, reply.Epoch));
        var version = _bench.Participant(0).Last;
        Assert.Equal((branch, timestamp, timestamp), (version.Writer, version.Wts, version.Rts));
        Assert.Equal(timestamp, _bench.Participant(3).Last.Rts);
    }

    [Fact]
    public void A_prepare_of_a_round_that_has_been_ordered_gets_the_same_answer_again_and_the_vote()
    {
        var branch = _bench.Access([0]);
        var prepare = _bench.Prepare(branch, round: 2, manager: 1);
        var first = _bench.Hear(prepare);
        Assert.Equal([MessageKind.PrepareReply, MessageKind.Vote], Kinds(first));
        foreach (var again in new[] { prepare, prepare with { Round = 1, Timestamp = prepare.Timestamp + 50 } })
        {
            var second = _bench.Hear(again);
            Assert.Equal([MessageKind.PrepareReply, MessageKind.Vote], Kinds(second));
            Assert.Equal((prepare.Timestamp, 2), (second[0].Timestamp, second[0].Round));
            Assert.Equal((prepare.Timestamp, 2), (second[1].Timestamp, second[1].Round));
        }
    }

    [Fact]
    public void While_the_prepare_is_on_its_way_into_the_log_the_answer_is_repeated_without_a_vote()
    {
        var stuck = _bench.Log.Hold(0, LogRecordKind.Prepare);
        var prepare = _bench.Prepare(_bench.Access([0]), manager: 1);
        Assert.Equal([MessageKind.PrepareReply], Kinds(_bench.Hear(prepare)));
        Assert.Equal([MessageKind.PrepareReply], Kinds(_bench.Hear(prepare)));
        stuck.Release();
        Assert.Equal([MessageKind.Vote], Kinds(_bench.Wait(1_000)));
    }

    [Fact]
    public void A_transaction_that_is_not_known_is_refused_for_good_and_gets_no_branch_afterwards()
    {
        var id = _bench.NewId();
        var prepare = _bench.Prepare(_bench.Access([3])) with { Transaction = id };
        Refused(_bench.Reply(prepare), AbortReason.OwnerChanged, isFinal: true);
        Assert.False(_bench.Owner.TakesAccessesOf(id));
        Assert.Equal(BranchState.Aborted, Assert.Single(_bench.Owner.Branches, branch => branch.Id == id).State);
        Refused(_bench.Reply(prepare), AbortReason.Cascade, isFinal: true);
    }

    [Theory]
    [InlineData(-1, true)]
    [InlineData(1, false)]
    public void A_prepare_that_names_another_epoch_is_refused_and_so_is_the_round(int other, bool isFinal)
    {
        var branch = _bench.Access([0]);
        var prepare = _bench.Prepare(branch, round: 2);
        Refused(_bench.Reply(prepare with { Epoch = _bench.Owner.Epoch + other }), AbortReason.OwnerChanged, isFinal);
        Refused(_bench.Reply(prepare), AbortReason.Validation, isFinal: true);
        Refused(_bench.Reply(prepare with { Round = 1 }), AbortReason.Validation, isFinal: true);
        Assert.Equal(MessageFlags.Committed, _bench.Reply(prepare with { Round = 3, Timestamp = _bench.Soon() }).Flags);
    }

    [Fact]
    public void Who_was_refused_once_it_had_logged_a_prepare_may_still_be_prepared()
    {
        var branch = _bench.Access([0]);
        Assert.Equal(MessageFlags.Committed, _bench.Reply(_bench.Prepare(branch, manager: 1)).Flags);
        Assert.Equal(BranchState.Logged, branch.State);
        Refused(_bench.Reply(_bench.Prepare(branch, round: 2, manager: 1) with { Epoch = _bench.Owner.Epoch - 1 }), AbortReason.OwnerChanged, isFinal: false);
    }

    [Theory]
    [InlineData(-1)]
    [InlineData(1)]
    public void An_access_too_many_or_too_few_refuses_the_round(int more)
    {
        var branch = _bench.Access([0]);
        var prepare = _bench.Prepare(branch);
        Refused(_bench.Reply(prepare with { Count = branch.Accesses + more }), AbortReason.OrphanCall, isFinal: true);
        Refused(_bench.Reply(prepare), AbortReason.Validation, isFinal: true);
    }

    [Fact]
    public void Who_is_doomed_is_refused_with_its_reason()
    {
        var branch = _bench.Access([0]);
        _bench.Node.Turn(() => _bench.Node.Engine.Doom(branch.Transaction, AbortReason.Wounded, null));
        Refused(_bench.Reply(_bench.Prepare(branch)), AbortReason.Wounded, isFinal: true);
    }

    [Fact]
    public void The_users_own_exception_does_not_keep_the_reads_from_being_proven()
    {
        var branch = _bench.Access([0], reads: [3]);
        var before = _bench.Participant(0).Last;
        _bench.Node.Turn(() => _bench.Node.Engine.Doom(branch.Transaction, AbortReason.UserException, null));
        var prepare = _bench.Prepare(branch, round: 2, manager: 1);
        Refused(_bench.Reply(prepare with { Round = 1 }), AbortReason.UserException, isFinal: true);
        Assert.Equal(MessageFlags.Committed, _bench.Reply(prepare with { Flags = MessageFlags.ReadsOnly }).Flags);
        Assert.False(branch.HasWrites);
        Assert.Same(before, _bench.Participant(0).Last);
        Assert.Equal(prepare.Timestamp, before.Rts);
        Assert.Equal(prepare.Timestamp, _bench.Participant(3).Last.Rts);
        Assert.DoesNotContain(_bench.Records(), static record => record.Kind == LogRecordKind.Prepare);
    }

    [Fact]
    public void An_update_is_ordered_above_the_read_timestamp_and_not_at_it()
    {
        var read = _bench.Soon(100);
        Assert.Equal(MessageFlags.Committed, _bench.Reply(_bench.Prepare(_bench.Access([], reads: [0]), timestamp: read)).Flags);
        foreach (var below in new[] { read, read - 1 })
        {
            var refused = _bench.Access([0]);
            var reply = _bench.Reply(_bench.Prepare(refused, timestamp: below));
            Assert.Equal((MessageFlags.Aborted | MessageFlags.Retime, read), (reply.Flags, reply.Timestamp));
            Assert.Equal(BranchState.Running, refused.State);
            Refused(_bench.Reply(_bench.Prepare(refused, timestamp: read + 1)), AbortReason.Validation, isFinal: true);
        }

        Assert.Equal(MessageFlags.Committed, _bench.Reply(_bench.Prepare(_bench.Access([0]), timestamp: read + 1)).Flags);
    }

    [Fact]
    public void A_read_is_ordered_above_the_version_that_it_saw_and_not_at_it()
    {
        var written = Committed([0]);
        var reader = _bench.Access([], reads: [0]);
        var reply = _bench.Reply(_bench.Prepare(reader, timestamp: written));
        Assert.Equal((MessageFlags.Aborted | MessageFlags.Retime, written), (reply.Flags, reply.Timestamp));
        Assert.Equal(MessageFlags.Committed, _bench.Reply(_bench.Prepare(reader, round: 2, timestamp: written + 1)).Flags);
    }

    [Fact]
    public void A_read_is_ordered_below_the_version_that_overtook_it_and_not_at_it()
    {
        var (late, early) = (_bench.Access([], reads: [0]), _bench.Access([], reads: [0]));
        var written = Committed([0]);
        Refused(_bench.Reply(_bench.Prepare(late, timestamp: written)), AbortReason.Validation, isFinal: true);
        Assert.Equal(MessageFlags.Committed, _bench.Reply(_bench.Prepare(early, timestamp: written - 1)).Flags);
    }

    [Fact]
    public void An_update_of_what_was_overtaken_is_refused_whatever_its_timestamp()
    {
        var branch = _bench.Access([0]);
        var written = Committed([0]);
        Refused(_bench.Reply(_bench.Prepare(branch, timestamp: written - 1)), AbortReason.Validation, isFinal: true);
    }

    [Fact]
    public void A_question_is_answered_with_the_timestamp_that_would_do_and_orders_nothing()
    {
        var written = Committed([0]);
        var branch = _bench.Access([0]);
        var reply = _bench.Reply(_bench.Prepare(branch) with { Timestamp = 0, Flags = MessageFlags.Asks });
        Assert.Equal((MessageFlags.Aborted | MessageFlags.Retime, written), (reply.Flags, reply.Timestamp));
        Assert.Equal(BranchState.Running, branch.State);
        Assert.Equal(MessageFlags.Committed, _bench.Reply(_bench.Prepare(branch, timestamp: written + 1)).Flags);
    }

    [Fact]
    public void Who_may_raise_the_timestamp_orders_above_what_it_would_have_suggested()
    {
        var written = Committed([0]);
        var reply = _bench.Reply(_bench.Prepare(_bench.Access([0]), timestamp: written) with { Flags = MessageFlags.MayRaise });
        Assert.Equal(MessageFlags.Committed, reply.Flags);
        Assert.InRange(reply.Timestamp, written + 1, long.MaxValue);
        Assert.Equal(reply.Timestamp, _bench.Participant(0).Last.Wts);
    }

    [Fact]
    public void Who_is_being_overtaken_elsewhere_gets_the_least_timestamp_that_will_do()
    {
        var written = Committed([0]);
        _bench.Wait(10_000);
        var parts = new[] { _bench.Use(0), _bench.Use(1, writes: false) with { IsOvertaken = true } };
        var reply = _bench.Reply(_bench.Prepare(_bench.Access([0]), timestamp: written, parts: parts) with { Flags = MessageFlags.MayRaise });
        Assert.Equal((MessageFlags.Committed, written + 1), (reply.Flags, reply.Timestamp));
    }

    [Fact]
    public void A_later_round_moves_a_transaction_while_nobody_has_read_or_built_upon_it()
    {
        var branch = _bench.Access([0]);
        _bench.Reply(_bench.Prepare(branch, manager: 1));
        var later = _bench.Soon();
        Assert.Equal((MessageFlags.Committed, later), Answer(_bench.Prepare(branch, round: 2, timestamp: later, manager: 1)));
        Assert.Equal((later, later), (_bench.Participant(0).Last.Wts, _bench.Participant(0).Last.Rts));
        Assert.Equal(2, _bench.Records().Count(record => record.Kind == LogRecordKind.Prepare && record.Transaction == branch.Id));
    }

    [Fact]
    public void Nobody_moves_who_has_been_read()
    {
        var branch = _bench.Access([0]);
        _bench.Reply(_bench.Prepare(branch, manager: 1));
        _bench.Reply(_bench.Prepare(_bench.Access([], reads: [0]), manager: -1));
        Refused(_bench.Reply(_bench.Prepare(branch, round: 2, manager: 1)), AbortReason.Timestamp, isFinal: false);
    }

    [Fact]
    public void Nobody_moves_who_has_been_built_upon()
    {
        var branch = _bench.Access([0]);
        _bench.Reply(_bench.Prepare(branch, manager: 1));
        _bench.Reply(_bench.Prepare(_bench.Access([0]), manager: 1));
        Refused(_bench.Reply(_bench.Prepare(branch, round: 2, manager: 1)), AbortReason.Timestamp, isFinal: false);
    }

    [Fact]
    public void Who_only_read_moves_however_often_the_version_was_read_by_others()
    {
        var branch = _bench.Access([], reads: [0]);
        _bench.Reply(_bench.Prepare(branch, manager: -1));
        _bench.Reply(_bench.Prepare(_bench.Access([], reads: [0]), timestamp: _bench.Soon(50), manager: -1));
        Assert.Equal(MessageFlags.Committed, _bench.Reply(_bench.Prepare(branch, round: 2, timestamp: _bench.Soon(100), manager: -1)).Flags);
    }

    [Fact]
    public void What_lies_above_the_ceiling_waits_until_a_higher_one_is_durable()
    {
        var above = _bench.Owner.Ceiling + 1;
        var stuck = _bench.Log.Hold(0, LogRecordKind.Ceiling);
        var branch = _bench.Access([], reads: [0]);
        var prepare = _bench.Prepare(branch, timestamp: above, manager: -1);
        Assert.Empty(_bench.Hear(prepare));
        Assert.Equal(BranchState.Running, branch.State);
        stuck.Release();
        Assert.Equal([MessageKind.PrepareReply, MessageKind.Vote], Kinds(_bench.Wait(1_000)));
        Assert.InRange(_bench.Owner.Ceiling, above, long.MaxValue);
    }

    [Fact]
    public void What_lies_at_the_ceiling_does_not_wait()
    {
        _bench.Log.Hold(0, LogRecordKind.Ceiling);
        var branch = _bench.Access([], reads: [0]);
        Assert.Equal(MessageFlags.Committed, _bench.Reply(_bench.Prepare(branch, timestamp: _bench.Owner.Ceiling, manager: -1)).Flags);
    }

    [Fact]
    public void Who_only_read_what_is_committed_votes_at_once_and_leaves_no_record()
    {
        var vote = _bench.Hear(_bench.Prepare(_bench.Access([], reads: [0, 3]), manager: -1))[^1];
        Assert.Equal((MessageKind.Vote, MessageFlags.None), (vote.Kind, vote.Flags));
        Assert.Empty(vote.Dependencies!);
        Assert.DoesNotContain(_bench.Records(), static record => record.Kind == LogRecordKind.Prepare);
    }

    [Fact]
    public void Who_read_what_is_undecided_names_it_in_its_vote_and_logs_a_prepare_where_somebody_else_decides()
    {
        var writer = _bench.Access([0]);
        _bench.Reply(_bench.Prepare(writer, manager: 1));
        var (own, managed) = (_bench.Access([], reads: [0]), _bench.Access([], reads: [0]));
        var vote = _bench.Hear(_bench.Prepare(own, manager: -1))[^1];
        Assert.Equal([new CommitDependency(writer.Id, 0, _bench.Owner.Epoch)], vote.Dependencies!);
        Assert.False(_bench.HasLogged(LogRecordKind.Prepare, own.Id));
        vote = _bench.Hear(_bench.Prepare(managed, manager: 1))[^1];
        Assert.Equal([new CommitDependency(writer.Id, 0, _bench.Owner.Epoch)], vote.Dependencies!);
        Assert.Equal(MessageFlags.Logged, vote.Flags);
        Assert.True(_bench.HasLogged(LogRecordKind.Prepare, managed.Id));
    }

    [Fact]
    public void What_was_committed_answers_no_prepare()
    {
        var branch = _bench.Access([0]);
        var prepare = _bench.Prepare(branch, manager: 1);
        _bench.Reply(prepare);
        _bench.Hear(_bench.Outcome(branch.Id, MessageFlags.Committed, prepare.Timestamp));
        Assert.Equal(BranchState.Committed, branch.State);
        Assert.Empty(_bench.Hear(prepare, prepare with { Round = 2 }));
    }

    private (MessageFlags Flags, long Timestamp) Answer(in Message prepare)
    {
        var reply = _bench.Reply(prepare);
        return (reply.Flags, reply.Timestamp);
    }

    /// <summary>Somebody updates accounts here alone, and commits.</summary>
    /// <returns>At which timestamp.</returns>
    private long Committed(int[] updates)
    {
        var timestamp = _bench.Soon(20);
        var branch = _bench.Access(updates);
        Assert.Equal(MessageFlags.Committed, _bench.Reply(_bench.Prepare(branch, timestamp: timestamp, parts: [_bench.Use(0)])).Flags);
        Assert.Equal(BranchState.Committed, branch.State);
        return timestamp;
    }

    private static void Refused(in Message reply, AbortReason reason, bool isFinal)
    {
        Assert.Equal(MessageFlags.Aborted | (isFinal ? MessageFlags.Final : MessageFlags.None), reply.Flags);
        Assert.Equal(reason, (AbortReason)reply.Count);
    }

    private static IEnumerable<MessageKind> Kinds(List<Message> messages) => messages.Select(static message => message.Kind);
}
