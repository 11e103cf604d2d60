using Polyjuice.Contracts;
using Polyjuice.Partitions;
using Polyjuice.Policies;
using Polyjuice.Reservations;
using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Grains;
using Polyjuice.Storage;
using Polyjuice.Tests.Agents;
using Polyjuice.Versions;
using Polyjuice.Waits;
using Polyjuice.Wire;

namespace Polyjuice.Tests.Partitions.Participants;

/// <summary>What an owner answers to a prepare: R1 and R2, message by message.</summary>
public sealed class OrderingTests
{
    private readonly OwnerBench _bench = new();

    [Fact]
    public void What_nothing_stands_against_is_ordered_at_the_timestamp_that_was_named()
    {
        var branch = _bench.Access([0], reads: [3]);
        var timestamp = _bench.Soon();
        var reply = _bench.Reply(
            _bench.Prepare(branch, timestamp: timestamp, parts: [_bench.Use(0), _bench.Use(1)], manager: 1));
        Assert.Equal(
            (MessageFlags.Committed, timestamp, 1, _bench.Owner.Epoch),
            (reply.Flags, reply.Timestamp, reply.Round, reply.Epoch));
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
        Refused(
            _bench.Reply(_bench.Prepare(branch, round: 2, manager: 1) with { Epoch = _bench.Owner.Epoch - 1 }),
            AbortReason.OwnerChanged,
            isFinal: false);
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
        _bench.Node.Turn(() => _bench.Node.Engine.Lifecycle.Doom(branch.Transaction, AbortReason.Wounded, null));
        Refused(_bench.Reply(_bench.Prepare(branch)), AbortReason.Wounded, isFinal: true);
    }

    [Fact]
    public void The_users_own_exception_does_not_keep_the_reads_from_being_proven()
    {
        var branch = _bench.Access([0], reads: [3]);
        var before = _bench.Participant(0).Last;
        _bench.Node.Turn(() => _bench.Node.Engine.Lifecycle.Doom(branch.Transaction, AbortReason.UserException, null));
        var prepare = _bench.Prepare(branch, round: 2, manager: 1);
        Refused(_bench.Reply(prepare with { Round = 1 }), AbortReason.UserException, isFinal: true);
        Assert.Equal(MessageFlags.Committed, _bench.Reply(prepare with { Flags = MessageFlags.Logged }).Flags);
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
        Assert.Equal(
            MessageFlags.Committed,
            _bench.Reply(_bench.Prepare(_bench.Access([], reads: [0]), timestamp: read)).Flags);
        foreach (var below in new[] { read, read - 1 })
        {
            var refused = _bench.Access([0]);
            var reply = _bench.Reply(_bench.Prepare(refused, timestamp: below));
            Assert.Equal((MessageFlags.Aborted | MessageFlags.Asks, read), (reply.Flags, reply.Timestamp));
            Assert.Equal(BranchState.Running, refused.State);
            Refused(_bench.Reply(_bench.Prepare(refused, timestamp: read + 1)), AbortReason.Validation, isFinal: true);
        }

        Assert.Equal(
            MessageFlags.Committed, _bench.Reply(_bench.Prepare(_bench.Access([0]), timestamp: read + 1)).Flags);
    }

    [Fact]
    public void A_read_is_ordered_above_the_version_that_it_saw_and_not_at_it()
    {
        var written = Committed([0]);
        var reader = _bench.Access([], reads: [0]);
        var reply = _bench.Reply(_bench.Prepare(reader, timestamp: written));
        Assert.Equal((MessageFlags.Aborted | MessageFlags.Asks, written), (reply.Flags, reply.Timestamp));
        Assert.Equal(
            MessageFlags.Committed, _bench.Reply(_bench.Prepare(reader, round: 2, timestamp: written + 1)).Flags);
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
    public void What_was_validated_early_is_validated_all_the_same()
    {
        var late = _bench.Access([], reads: [0]);
        late.Transaction.ValidatedUpTo = late.Accesses;
        var written = Committed([0]);
        Refused(_bench.Reply(_bench.Prepare(late, timestamp: written)), AbortReason.Validation, isFinal: true);
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
        Assert.Equal((MessageFlags.Aborted | MessageFlags.Asks, written), (reply.Flags, reply.Timestamp));
        Assert.Equal(BranchState.Running, branch.State);
        Assert.Equal(MessageFlags.Committed, _bench.Reply(_bench.Prepare(branch, timestamp: written + 1)).Flags);
    }

    [Fact]
    public void Who_may_raise_the_timestamp_orders_above_what_it_would_have_suggested()
    {
        var written = Committed([0]);
        var reply = _bench.Reply(
            _bench.Prepare(_bench.Access([0]), timestamp: written) with { Flags = MessageFlags.MayRaise });
        Assert.Equal(MessageFlags.Committed, reply.Flags);
        Assert.InRange(reply.Timestamp, written + 1, long.MaxValue);
        Assert.Equal(reply.Timestamp, _bench.Participant(0).Last.Wts);
    }

    [Fact]
    public void Who_may_raise_the_timestamp_gets_one_of_now_and_not_the_least_that_will_do()
    {
        var written = Committed([0]);
        _bench.Wait(10_000);
        var now = _bench.Node.Engine.Clock.Physical;
        Assert.InRange(
            _bench.Reply(
                _bench.Prepare(_bench.Access([0]), timestamp: written) with
                {
                    Flags = MessageFlags.MayRaise
                }).Timestamp,
            now,
            long.MaxValue);
    }

    [Fact]
    public void Who_may_raise_the_timestamp_orders_above_what_a_clock_that_leads_has_written()
    {
        var written = _bench.RaiseCeiling();
        Assert.Equal(
            MessageFlags.Committed,
            _bench.Reply(_bench.Prepare(_bench.Access([0]), timestamp: written, parts: [_bench.Use(0)])).Flags);
        _bench.TakeOver();
        var reader = _bench.Access([], reads: [0]);
        var prepare = _bench.Prepare(reader, manager: -1) with { Flags = MessageFlags.MayRaise };
        Assert.InRange(prepare.Timestamp, 0, written);
        var reply = Assert.Single(
            _bench.Hear(prepare).Concat(_bench.Wait(10_000)),
            static message => message.Kind == MessageKind.PrepareReply);
        Assert.Equal((MessageFlags.Committed, written + 1), (reply.Flags, reply.Timestamp));
    }

    [Fact]
    public void Who_is_being_overtaken_elsewhere_gets_the_least_timestamp_that_will_do()
    {
        var written = Committed([0]);
        _bench.Wait(10_000);
        var parts = new[] { _bench.Use(0), _bench.Use(1, writes: false) with { IsOvertaken = true } };
        var reply = _bench.Reply(
            _bench.Prepare(_bench.Access([0]), timestamp: written, parts: parts) with
            {
                Flags = MessageFlags.MayRaise
            });
        Assert.Equal((MessageFlags.Committed, written + 1), (reply.Flags, reply.Timestamp));
    }

    [Fact]
    public void A_later_round_moves_a_transaction_while_nobody_has_read_or_built_upon_it()
    {
        var branch = _bench.Access([0]);
        _bench.Reply(_bench.Prepare(branch, manager: 1));
        var later = _bench.Soon();
        Assert.Equal(
            (MessageFlags.Committed, later), Answer(_bench.Prepare(branch, round: 2, timestamp: later, manager: 1)));
        Assert.Equal((later, later), (_bench.Participant(0).Last.Wts, _bench.Participant(0).Last.Rts));
        Assert.Equal(
            2,
            _bench.Records().Count(record => record.Kind == LogRecordKind.Prepare && record.Transaction == branch.Id));
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
        Assert.Equal(
            MessageFlags.Committed,
            _bench.Reply(_bench.Prepare(branch, round: 2, timestamp: _bench.Soon(100), manager: -1)).Flags);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void What_lies_above_the_ceiling_waits_until_a_higher_one_is_durable(bool writes)
    {
        var above = _bench.Owner.Ceiling + 1;
        var stuck = _bench.Log.Hold(0, LogRecordKind.Ceiling);
        var branch = writes ? _bench.Access([0]) : _bench.Access([], reads: [0]);
        var prepare = _bench.Prepare(branch, timestamp: above, manager: writes ? 1 : -1);
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
        Assert.Equal(
            MessageFlags.Committed,
            _bench.Reply(_bench.Prepare(branch, timestamp: _bench.Owner.Ceiling, manager: -1)).Flags);
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

    [Fact]
    public void Who_aborted_here_is_refused_with_the_reason_of_that()
    {
        var branch = _bench.Access([0]);
        _bench.Node.Turn(() =>
        {
            _bench.Node.Engine.Lifecycle.Doom(branch.Transaction, AbortReason.Wounded, null);
            _bench.Owner.Abandon(branch.Id);
        });
        Assert.Equal(BranchState.Aborted, branch.State);
        Refused(_bench.Reply(_bench.Prepare(branch)), AbortReason.Wounded, isFinal: true);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_prepare_that_comes_again_after_a_take_over_gets_the_outcome_that_the_log_tells(bool committed)
    {
        var branch = _bench.Access([0]);
        var prepare = _bench.Prepare(branch, manager: 1);
        _bench.Reply(prepare);
        _bench.Hear(_bench.Decided(branch.Id, committed, prepare.Timestamp));
        _bench.Wait(2 * OwnerBench.Lingering);
        Assert.True(_bench.HasLogged(LogRecordKind.Outcome, branch.Id));
        _bench.TakeOver();
        var reply = Assert.Single(_bench.Hear(prepare));
        if (committed)
            Assert.Equal(
                (MessageKind.AgentOutcome, branch.Id, MessageFlags.Committed, 0),
                (reply.Kind, reply.Transaction, reply.Flags, reply.FromPartition));
        else Refused(reply, AbortReason.Cascade, isFinal: true);
        Assert.Empty(_bench.Owner.Branches);
    }

    [Fact]
    public void While_the_log_is_out_only_what_needs_nothing_of_it_is_ordered()
    {
        _bench.BreakLog();
        var (decided, above) = (_bench.Access([], reads: [3]), _bench.Access([], reads: [3]));
        var (writer, undecided) = (_bench.Access([3]), _bench.Access([], reads: [0]));
        var ceiling = _bench.Owner.Ceiling;
        Assert.Equal(
            MessageFlags.Committed, _bench.Reply(_bench.Prepare(decided, timestamp: ceiling, manager: -1)).Flags);
        Refused(
            _bench.Reply(_bench.Prepare(above, timestamp: ceiling + 1, manager: -1)),
            AbortReason.LogUnavailable,
            isFinal: true);
        Refused(
            _bench.Reply(_bench.Prepare(above, timestamp: ceiling, manager: -1)),
            AbortReason.Validation,
            isFinal: true);
        Refused(_bench.Reply(_bench.Prepare(writer, timestamp: ceiling)), AbortReason.LogUnavailable, isFinal: true);
        Refused(
            _bench.Reply(_bench.Prepare(undecided, timestamp: ceiling, manager: -1)),
            AbortReason.LogUnavailable,
            isFinal: true);
    }

    [Fact]
    public void While_too_much_waits_for_the_log_nothing_is_ordered_that_writes()
    {
        _bench.RaiseCeiling();
        _bench.Node.Engine.Options.LogBacklogBytesMax = -1;
        var (writer, reader) = (_bench.Access([0]), _bench.Access([], reads: [3]));
        var records = _bench.Records().Count;
        Refused(_bench.Reply(_bench.Prepare(writer)), AbortReason.LogOverloaded, isFinal: true);
        Refused(_bench.Reply(_bench.Prepare(writer)), AbortReason.Validation, isFinal: true);
        Assert.Equal(BranchState.Running, writer.State);
        Assert.Equal(MessageFlags.Committed, _bench.Reply(_bench.Prepare(reader, manager: -1)).Flags);

        // Nor is more asked of the log for that.
        Assert.Equal(records, _bench.Records().Count);
    }

    [Fact]
    public void A_successor_orders_writes_above_what_was_promised_before_and_once_its_clock_has_passed_it()
    {
        var promised = _bench.RaiseCeiling();
        _bench.TakeOver();
        var (one, other, early) = (_bench.Access([0]), _bench.Access([3]), _bench.Access([0]));
        Assert.InRange(_bench.Node.Engine.Clock.Physical, 0, promised - 1);
        Message[] prepares =
        [
            _bench.Prepare(one, timestamp: promised + 1, manager: 1),
            _bench.Prepare(other, timestamp: promised + 1, manager: 1),
            _bench.Prepare(early, timestamp: promised)
        ];
        Assert.Empty(_bench.Hear(prepares));
        Assert.Empty(_bench.Wait(1_000));
        var left = _bench.Node.Engine.Clock.MicrosecondsUntil(promised);
        Assert.Empty(_bench.Wait(left - 1));
        var replies = _bench.Wait(2_000).Where(static message => message.Kind == MessageKind.PrepareReply)
            .ToDictionary(static message => message.Transaction);
        Assert.Equal(3, replies.Count);
        Assert.Equal((MessageFlags.Committed, promised + 1), (replies[one.Id].Flags, replies[one.Id].Timestamp));
        Assert.Equal((MessageFlags.Committed, promised + 1), (replies[other.Id].Flags, replies[other.Id].Timestamp));
        Assert.NotEqual(MessageFlags.Committed, replies[early.Id].Flags);
    }

    [Fact]
    public void What_was_promised_before_is_the_timestamp_that_a_write_must_be_above()
    {
        var promised = _bench.RaiseCeiling();
        _bench.TakeOver();
        _bench.Wait(_bench.Node.Engine.Clock.MicrosecondsUntil(promised));
        var branch = _bench.Access([0]);
        var reply = _bench.Reply(_bench.Prepare(branch, timestamp: promised));
        Assert.Equal((MessageFlags.Aborted | MessageFlags.Asks, promised), (reply.Flags, reply.Timestamp));
        Assert.Equal(
            MessageFlags.Committed, _bench.Reply(_bench.Prepare(branch, round: 2, timestamp: promised + 1)).Flags);
    }

    [Fact]
    public void Who_was_ordered_behind_what_has_aborted_since_is_refused_for_that()
    {
        var writer = _bench.Access([0]);
        _bench.Reply(_bench.Prepare(writer, manager: 1));
        var reader = _bench.Access([], reads: [0]);
        Assert.Equal(MessageFlags.Committed, _bench.Reply(_bench.Prepare(reader, manager: -1)).Flags);
        _bench.Hear(_bench.Outcome(writer.Id, MessageFlags.Aborted | MessageFlags.Final));
        Refused(
            _bench.Reply(_bench.Prepare(reader, round: 2, timestamp: _bench.Soon(10), manager: -1)),
            AbortReason.Cascade,
            isFinal: true);
    }

    [Fact]
    public void Who_was_built_on_what_is_exposed_is_ordered_when_that_is_however_often_it_was_asked()
    {
        var writer = Exposed(0);
        var (update, read) = (_bench.Access([0]), _bench.Access([], reads: [0]));
        var timestamp = _bench.Soon(2_000_000);
        var prepare = _bench.Prepare(update, timestamp: timestamp + 20, manager: 1);
        Assert.Empty(_bench.Hear(prepare, prepare, _bench.Prepare(read, timestamp: timestamp + 10, manager: -1)));
        Assert.Equal((2, true), (_bench.Node.Engine.Waits.Count, update.IsParked));
        var said = _bench.Hear(_bench.Prepare(writer, timestamp: timestamp, manager: 1));
        Assert.Equal(
            [read.Id, update.Id, writer.Id],
            said.Where(
                static message => message.Kind == MessageKind.PrepareReply && message.Flags == MessageFlags.Committed)
                .Select(static message => message.Transaction).OrderByDescending(static id => id.Sequence).ToArray());
        Assert.Equal((0, false), (_bench.Node.Engine.Waits.Count, update.IsParked));
    }

    [Fact]
    public void An_agent_of_this_node_waits_for_what_is_exposed_before_it_asks_anybody()
    {
        var writer = Exposed(0);
        var (update, other) = (_bench.Access([0]), _bench.Access([3]));
        _bench.Node.Turn(() =>
        {
            Assert.False(_bench.Owner.AwaitOrder(other, round: 1));
            Assert.True(_bench.Owner.AwaitOrder(update, round: 1));
        });
        Assert.Equal((1, true), (_bench.Node.Engine.Waits.Count, update.IsParked));
        _bench.Hear(_bench.Prepare(writer, manager: 1));
        Assert.Equal((0, false), (_bench.Node.Engine.Waits.Count, update.IsParked));
        _bench.Hear(_bench.Prepare(update, manager: 1));
        _bench.Node.Turn(() => Assert.False(_bench.Owner.AwaitOrder(update, round: 2)));
    }

    [Fact]
    public void It_goes_on_once_that_is_ordered()
    {
        var rig = new EngineRig(new FixedPolicy("dirty", PolicyActions.ReadDirty | PolicyActions.WritePublic));
        var gate = new Gate();
        var first = rig.Start("First", async frame =>
        {
            await rig.Add(frame, 0, 1, 1);
            await gate.Arrive();
        });
        rig.Until(() => gate.Arrivals == 1, "the first must have updated");
        var second = rig.Start("Second", async frame => await rig.Add(frame, 0, 1, 2));
        rig.Until(() => rig.Node.Engine.Waits.Count == 1, "the second must wait for the first to be ordered");
        var began = rig.Cluster.Loop.Now;
        gate.Open();
        rig.End(first);
        rig.End(second);
        Assert.Equal([1, 2], rig.Read(0).Tokens);
        Assert.Equal(0, rig.Statistics.AbortsByReason.Sum());
        Assert.InRange(rig.Cluster.Loop.Now - began, 0, rig.Node.Engine.Options.ResendMicroseconds);
    }

    [Fact]
    public void Two_that_wait_to_be_ordered_behind_each_other_close_a_cycle_and_the_younger_is_refused()
    {
        var (old, young) = (Exposed(0), Exposed(3));
        Read(old, 3);
        Read(young, 0);
        Assert.Empty(_bench.Hear(_bench.Prepare(old, manager: 1)));
        var said = _bench.Hear(_bench.Prepare(young, manager: 1));
        Refused(Assert.Single(said, message => message.Transaction == young.Id), AbortReason.Deadlock, isFinal: true);
        Assert.False(young.IsParked);
        Assert.Equal(AbortReason.Deadlock, young.Transaction.Doom!.Reason);
        Assert.Equal(0, _bench.Node.Engine.Waits.Count);
    }

    [Fact]
    public void Who_proves_what_its_failed_body_has_read_and_closes_a_cycle_is_refused()
    {
        var old = Exposed(0);
        var young = _bench.Access([], reads: [0]);
        _bench.Node.Turn(() => _bench.Node.Engine.Lifecycle.Doom(young.Transaction, AbortReason.UserException, null));
        _bench.Node.Turn(
            () => _bench.Node.Engine.Waits.Register(old.Transaction, young.Transaction, Wait.Sealed, siteId: 0));
        var prepare = _bench.Prepare(young, round: 2, manager: -1) with { Flags = MessageFlags.Logged };
        Refused(_bench.Reply(prepare), AbortReason.Deadlock, isFinal: true);
        Assert.Equal((1, false), (_bench.Node.Engine.Waits.Count, young.IsParked));
        Refused(_bench.Reply(prepare), AbortReason.Validation, isFinal: true);
    }

    [Fact]
    public void An_update_waits_for_who_has_reserved_and_accessed_the_state_to_be_ordered_or_gone()
    {
        var holder = _bench.Access([], reads: [0]);
        _bench.Hold(holder, 0);
        var (update, read) = (_bench.Access([0]), _bench.Access([], reads: [0]));
        Assert.Equal(MessageFlags.Committed, _bench.Reply(_bench.Prepare(read, manager: -1)).Flags);
        Assert.Empty(_bench.Hear(_bench.Prepare(update, timestamp: _bench.Soon(2_000_000), manager: 1)));
        Assert.True(update.IsParked);
        var said = _bench.Hear(_bench.Prepare(holder, manager: -1));
        Assert.Equal(
            MessageFlags.Committed,
            Assert.Single(
                said, message => message.Kind == MessageKind.PrepareReply && message.Transaction == update.Id).Flags);
        Assert.Equal(0, _bench.Node.Engine.Waits.Count);
    }

    [Theory]
    [InlineData(1UL, true)]
    [InlineData(2UL, false)]
    public void Who_was_handed_a_state_in_the_order_in_which_both_have_reserved_waits_in_order(
        ulong view, bool isInOrder)
    {
        var queue = _bench.Participant(0).ReservationsOf(_bench.Node.Engine.Queues);
        var first = Exposed(0);
        _bench.Node.Turn(() => queue.HandOn(queue.JoinPlanned(first.Transaction, Planned(), 0, view: 1)));
        var next = _bench.Access([0]);
        _bench.Node.Turn(() => queue.JoinPlanned(next.Transaction, Planned(), 0, view));
        Assert.Empty(_bench.Hear(_bench.Prepare(next, manager: 1)));
        Assert.Equal((1, !isInOrder), (_bench.Node.Engine.Waits.Count, _bench.Node.Engine.Waits.HasUnordered));

        PlannedReservation Planned() => new(0, _bench.Participant(0).Key, IsExclusive: true, Accesses: 1);
    }

    [Fact]
    public void A_refusal_says_at_which_grain()
    {
        var rig = new EngineRig();
        var gate = new Gate();
        var task = rig.Start("Late", async frame =>
        {
            await rig.Add(frame, 1, 1, 1);
            await rig.State(0).ReadAsync(frame, state => state.Balance);
            await rig.Add(frame, 0, 1, 1);
            await gate.Arrive();
        }, maxAttempts: 1);
        rig.Until(() => gate.Arrivals == 1, "the body must come to the gate");
        rig.Commit("Rival", async frame => await rig.Add(frame, 0, 1, 2));
        gate.Open();
        rig.End(task);
        var abort = EngineRig.AbortOf(task).Abort;
        Assert.Equal((AbortReason.Validation, rig.Cluster.Accounts.KeyOf(0).Grain), (abort.Reason, abort.Grain));
    }

    /// <summary>A transaction that has updated an account, for others to build on.</summary>
    private Branch Exposed(int account)
    {
        var branch = _bench.Access([account]);
        Exposure.ExposeAll(branch);
        return branch;
    }

    private void Read(Branch branch, int account)
    {
        branch.Entries.Add(new AccessEntry(_bench.Participant(account).Tip) { Number = ++branch.Accesses });
        _bench.Participant(account).List(branch, AccessKind.Read, listed: true);
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
        Assert.Equal(
            MessageFlags.Committed,
            _bench.Reply(_bench.Prepare(branch, timestamp: timestamp, parts: [_bench.Use(0)])).Flags);
        Assert.Equal(BranchState.Committed, branch.State);
        return timestamp;
    }

    private static void Refused(in Message reply, AbortReason reason, bool isFinal)
    {
        Assert.Equal(MessageFlags.Aborted | (isFinal ? MessageFlags.Final : MessageFlags.None), reply.Flags);
        Assert.Equal(reason, (AbortReason)reply.Count);
    }

    private static IEnumerable<MessageKind> Kinds(List<Message> messages) =>
        messages.Select(static message => message.Kind);
}
