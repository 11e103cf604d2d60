using Polyjuice.Contracts;
using Polyjuice.Partitions;
using Polyjuice.Storage;
using Polyjuice.Versions;
using Polyjuice.Waits;
using Polyjuice.Wire;

namespace Polyjuice.Tests.Partitions.Participants;

/// <summary>
/// How a participant takes its manager's word, and when who forgets:
/// V4 and V6, message by message. The manager is partition 1.
/// </summary>
public sealed class BranchOutcomesTests
{
    private readonly OwnerBench _bench = new();

    [Fact]
    public void A_commit_is_applied_at_once_and_acknowledged_only_when_it_is_final_and_in_the_log()
    {
        var (branch, timestamp) = Logged();
        Assert.Empty(_bench.Hear(_bench.Outcome(branch.Id, MessageFlags.Committed, timestamp)));
        Assert.Equal(BranchState.Committed, branch.State);
        Assert.True(_bench.Participant(0).Last.IsCommitted);
        Assert.False(_bench.HasLogged(LogRecordKind.Outcome, branch.Id));
        var stuck = _bench.Log.Hold(0, LogRecordKind.Outcome);
        Assert.Empty(_bench.Hear(_bench.Outcome(branch.Id, MessageFlags.Committed | MessageFlags.Final, timestamp)));
        Assert.Empty(_bench.Hear(_bench.Outcome(branch.Id, MessageFlags.Committed | MessageFlags.Final, timestamp)));
        Assert.Empty(_bench.Wait(OwnerBench.Lingering));
        stuck.Release();
        Acknowledged(Assert.Single(_bench.Wait(1_000)), branch.Id);
        Assert.Equal(
            1,
            Assert.Single(
                _bench.Records(),
                record => record.Kind == LogRecordKind.Outcome && record.Transaction == branch.Id).Value);

        // What is in the log needs no second record.
        Acknowledged(
            Assert.Single(
                _bench.Hear(_bench.Outcome(branch.Id, MessageFlags.Committed | MessageFlags.Final, timestamp))),
            branch.Id);
        Assert.Single(
            _bench.Records(), record => record.Kind == LogRecordKind.Outcome && record.Transaction == branch.Id);
    }

    [Fact]
    public void A_commit_with_another_timestamp_is_that_of_another_round()
    {
        var (branch, timestamp) = Logged();
        Assert.Empty(
            _bench.Hear(_bench.Outcome(branch.Id, MessageFlags.Committed | MessageFlags.Final, timestamp + 1)));
        Assert.Equal(BranchState.Logged, branch.State);
        _bench.Hear(_bench.Outcome(branch.Id, MessageFlags.Committed | MessageFlags.Final, timestamp));
        Assert.Equal(BranchState.Committed, branch.State);
    }

    [Fact]
    public void Who_is_told_that_what_it_has_not_heard_of_is_forgotten_finds_out_whether_it_is_the_owner()
    {
        var (branch, timestamp) = Logged();
        var before = _bench.Records().Count;
        Assert.Empty(_bench.Hear(_bench.Outcome(branch.Id, MessageFlags.Committed, 0)));
        Assert.Equal(before, _bench.Records().Count);
        Assert.Empty(_bench.Hear(_bench.Outcome(branch.Id, MessageFlags.Committed | MessageFlags.Final, 0)));
        Assert.Contains(_bench.Records().Skip(before), static record => record.Kind == LogRecordKind.Ceiling);
        Assert.Equal(BranchState.Logged, branch.State);
        _bench.Hear(_bench.Outcome(branch.Id, MessageFlags.Committed, timestamp));
        before = _bench.Records().Count;
        Assert.Empty(_bench.Hear(_bench.Outcome(branch.Id, MessageFlags.Aborted | MessageFlags.Unknown)));
        Assert.Equal(BranchState.Committed, branch.State);
        Assert.Contains(_bench.Records().Skip(before), static record => record.Kind == LogRecordKind.Ceiling);
    }

    [Fact]
    public void Who_has_the_outcome_in_its_log_does_not_doubt_it()
    {
        var (branch, timestamp) = Logged();
        _bench.Hear(_bench.Outcome(branch.Id, MessageFlags.Committed | MessageFlags.Final, timestamp));
        var before = _bench.Records().Count;
        Assert.Empty(_bench.Hear(_bench.Outcome(branch.Id, MessageFlags.Aborted | MessageFlags.Unknown)));
        Assert.Equal(before, _bench.Records().Count);
    }

    [Fact]
    public void A_reader_takes_the_outcome_whatever_timestamp_it_names()
    {
        var writer = _bench.Access([0]);
        _bench.Hear(_bench.Prepare(writer, manager: 1));
        var reader = _bench.Access([], reads: [0]);
        _bench.Hear(_bench.Prepare(reader, manager: 1));
        _bench.Hear(_bench.Outcome(reader.Id, MessageFlags.Committed, 5));
        Assert.Equal(BranchState.Committed, reader.State);
    }

    [Fact]
    public void What_still_runs_takes_no_commit()
    {
        var branch = _bench.Access([0]);
        Assert.Empty(
            _bench.Hear(_bench.Outcome(branch.Id, MessageFlags.Committed | MessageFlags.Final, _bench.Soon())));
        Assert.Equal(BranchState.Running, branch.State);
    }

    [Fact]
    public void What_aborted_takes_no_commit()
    {
        var (branch, timestamp) = Logged();
        _bench.Hear(_bench.Outcome(branch.Id, MessageFlags.Aborted | MessageFlags.Final));
        Assert.Equal(BranchState.Aborted, branch.State);
        Assert.Empty(_bench.Hear(_bench.Outcome(branch.Id, MessageFlags.Committed | MessageFlags.Final, timestamp)));
        Assert.Equal(BranchState.Aborted, branch.State);
    }

    [Fact]
    public void What_was_forgotten_is_acknowledged_after_an_append_and_only_if_it_is_final()
    {
        var id = _bench.NewId();
        Assert.Empty(_bench.Hear(_bench.Outcome(id, MessageFlags.Committed, 5)));
        var stuck = _bench.Log.Hold(0, LogRecordKind.Outcome);
        Assert.Empty(_bench.Hear(_bench.Outcome(id, MessageFlags.Committed | MessageFlags.Final, 5)));
        stuck.Release();
        Acknowledged(Assert.Single(_bench.Wait(1_000)), id);
    }

    [Fact]
    public void An_abort_takes_the_versions_away_and_is_in_the_log_if_the_prepare_is()
    {
        var before = _bench.Participant(0).Last;
        var (branch, _) = Logged();
        Assert.Empty(_bench.Hear(_bench.Outcome(branch.Id, MessageFlags.Aborted | MessageFlags.Final)));
        Assert.Equal(BranchState.Aborted, branch.State);
        Assert.Same(before, _bench.Participant(0).Last);
        Assert.Null(before.Next);
        Assert.False(_bench.HasLogged(LogRecordKind.Outcome, branch.Id));

        // It goes out with the next append that somebody needs, and nobody waits to hear of it.
        var said = _bench.Hear(_bench.Prepare(_bench.Access([3]), manager: 1));
        Assert.DoesNotContain(said, static message => message.Kind == MessageKind.Acknowledge);
        Assert.Equal(
            0,
            Assert.Single(
                _bench.Records(),
                record => record.Kind == LogRecordKind.Outcome && record.Transaction == branch.Id).Value);
    }

    [Fact]
    public void An_abort_that_is_only_inferred_is_in_the_log_before_it_is_applied()
    {
        var (branch, _) = Logged();
        var stuck = _bench.Log.Hold(0, LogRecordKind.Outcome);
        _bench.Hear(_bench.Outcome(branch.Id, MessageFlags.Aborted | MessageFlags.Final | MessageFlags.Unknown));
        Assert.Equal(BranchState.Logged, branch.State);
        stuck.Release();
        _bench.Wait(1_000);
        Assert.Equal(BranchState.Aborted, branch.State);
        Assert.Equal(
            0,
            Assert.Single(
                _bench.Records(),
                record => record.Kind == LogRecordKind.Outcome && record.Transaction == branch.Id).Value);
    }

    [Fact]
    public void A_reader_takes_no_commit_of_an_abort_that_is_only_inferred()
    {
        Logged();
        var reader = _bench.Access([], reads: [0]);
        _bench.Hear(_bench.Prepare(reader, manager: 1));
        Assert.Equal(BranchState.Logged, reader.State);
        var stuck = _bench.Log.Hold(0, LogRecordKind.Outcome);
        _bench.Hear(_bench.Outcome(reader.Id, MessageFlags.Aborted | MessageFlags.Final | MessageFlags.Unknown));
        Assert.Equal(BranchState.Logged, reader.State);
        stuck.Release();
        _bench.Wait(1_000);
        Assert.Equal(BranchState.Aborted, reader.State);
    }

    [Fact]
    public void Who_hears_of_an_abort_for_the_first_time_doubts_nothing()
    {
        _bench.RaiseCeiling();
        var (branch, _) = Logged();
        var before = _bench.Records().Count;
        _bench.Hear(_bench.Outcome(branch.Id, MessageFlags.Aborted | MessageFlags.Final | MessageFlags.Unknown));
        Assert.Equal([LogRecordKind.Outcome], _bench.Records().Skip(before).Select(static record => record.Kind));
    }

    [Fact]
    public void A_final_commit_lingers_until_somebody_wants_it_soon()
    {
        var (branch, timestamp) = Logged();
        var final = _bench.Outcome(branch.Id, MessageFlags.Committed | MessageFlags.Final, timestamp);
        Assert.Empty(_bench.Hear(final, final));
        Assert.False(_bench.HasLogged(LogRecordKind.Outcome, branch.Id));
        Acknowledged(Assert.Single(_bench.Hear(final with { Flags = final.Flags | MessageFlags.Logged })), branch.Id);
        var (other, another) = Logged();
        Assert.Empty(_bench.Hear(_bench.Outcome(other.Id, MessageFlags.Committed | MessageFlags.Final, another)));
        _bench.Node.Turn(_bench.Owner.SeekRest);
        Acknowledged(Assert.Single(_bench.Wait(1_000)), other.Id);
    }

    [Fact]
    public void What_aborts_is_over_for_all_who_wait_for_it_and_is_forgotten_with_its_agent()
    {
        var (branch, waiting) = (_bench.Access([0]), _bench.Access([3]));
        Wait? wait = null;
        _bench.Node.Turn(
            () => wait = _bench.Node.Engine.Waits.Register(
                waiting.Transaction, branch.Transaction, Wait.Decided, siteId: 0));
        _bench.Hear(_bench.Outcome(branch.Id, MessageFlags.Aborted | MessageFlags.Final));
        Assert.True(wait!.IsDone);
        Assert.Equal(
            (true, AbortReason.ManagerAbort, true),
            (branch.Transaction.IsEnded, branch.Transaction.Doom!.Reason, branch.IsFinished));
        AgentIsDone(branch.Id);
        _bench.Wait(10_000);
        Assert.DoesNotContain(branch, _bench.Owner.Branches);
    }

    [Fact]
    public void What_waits_to_be_ordered_and_aborts_waits_no_longer()
    {
        Exposure.ExposeAll(_bench.Access([0]));
        var upon = _bench.Access([0]);
        _bench.Hear(_bench.Prepare(upon, manager: 1));
        Assert.True(upon.IsParked);
        _bench.Node.Turn(() => _bench.Owner.Abandon(upon.Id));
        Assert.Equal((BranchState.Aborted, false, 0), (upon.State, upon.IsParked, _bench.Node.Engine.Waits.Count));
    }

    [Fact]
    public void Who_waits_to_be_ordered_behind_one_that_had_reserved_is_ordered_when_that_aborts()
    {
        var holder = _bench.Access([], reads: [0]);
        _bench.Hold(holder, 0);
        var update = _bench.Access([0]);
        Assert.Empty(_bench.Hear(_bench.Prepare(update, manager: 1)));
        _bench.Node.Turn(() => _bench.Owner.Abandon(holder.Id));
        Assert.Equal(
            MessageFlags.Committed,
            Assert.Single(_bench.Wait(1_000), static message => message.Kind == MessageKind.PrepareReply).Flags);
    }

    [Fact]
    public void A_reader_that_has_committed_is_not_abandoned()
    {
        var reader = _bench.Access([], reads: [0]);
        _bench.Hear(_bench.Prepare(reader, manager: -1));
        _bench.Hear(_bench.Outcome(reader.Id, MessageFlags.Committed));
        Assert.Equal(BranchState.Committed, reader.State);
        _bench.Node.Turn(() => _bench.Owner.Abandon(reader.Id));
        Assert.Equal(BranchState.Committed, reader.State);
    }

    [Fact]
    public void An_abort_is_remembered_by_its_manager_until_the_agent_is_done_and_told_once()
    {
        var branch = _bench.Access([0]);
        _bench.Hear(_bench.Prepare(branch, parts: [_bench.Use(0), _bench.Use(1)]));
        Assert.NotEmpty(_bench.Hear(_bench.Query(branch.Id, kind: MessageKind.AbortRequest)));
        Assert.Empty(_bench.Wait(2 * OwnerBench.Lingering));
        Assert.True(_bench.HasLogged(LogRecordKind.Outcome, branch.Id));
        _bench.Wait(_bench.Node.Engine.Options.ResendMicroseconds * 5 / 4);
        Assert.Equal(DecisionState.Aborted, _bench.StateOf(branch));
        AgentIsDone(branch.Id);
        _bench.Wait(10_000);
        Assert.Null(_bench.Decision(branch));
    }

    [Fact]
    public void Who_committed_alone_is_forgotten_without_a_record()
    {
        var branch = _bench.Access([0]);
        _bench.Hear(_bench.Prepare(branch, parts: [_bench.Use(0)]));
        Assert.Equal(DecisionState.Committed, _bench.StateOf(branch));
        AgentIsDone(branch.Id);
        _bench.Wait(2 * OwnerBench.Lingering);
        Assert.Null(_bench.Decision(branch));
        _bench.Hear(_bench.Prepare(_bench.Access([3]), manager: 1));
        Assert.False(_bench.HasLogged(LogRecordKind.Forget, branch.Id));
    }

    [Fact]
    public void An_abort_of_what_left_no_record_leaves_none()
    {
        var branch = _bench.Access([], reads: [0]);
        _bench.Hear(_bench.Prepare(branch, manager: -1));
        _bench.Hear(_bench.Outcome(branch.Id, MessageFlags.Aborted | MessageFlags.Final));
        _bench.Hear(_bench.Prepare(_bench.Access([3]), manager: 1));
        Assert.False(_bench.HasLogged(LogRecordKind.Outcome, branch.Id));
    }

    [Fact]
    public void What_is_not_known_and_aborted_never_accesses_anything_here()
    {
        var id = _bench.NewId();
        Assert.Empty(_bench.Hear(_bench.Outcome(id, MessageFlags.Aborted | MessageFlags.Final)));
        Assert.False(_bench.Owner.TakesAccessesOf(id));
        Assert.Single(_bench.Owner.Branches, branch => branch.Id == id && branch.State == BranchState.Aborted);
    }

    [Fact]
    public void What_aborts_takes_what_was_built_upon_it_along()
    {
        var (branch, _) = Logged();
        var (upon, _) = Logged();
        var running = _bench.Access([0]);
        var said = _bench.Hear(_bench.Outcome(branch.Id, MessageFlags.Aborted | MessageFlags.Final));
        Assert.Equal(BranchState.Aborted, upon.State);
        Assert.Equal(AbortReason.Cascade, running.Transaction.Doom!.Reason);
        Assert.Contains(
            said,
            message => message.Kind == MessageKind.AbortRequest && message.Transaction == upon.Id
                && message.Partition == 1 && message.ManagerEpoch == OwnerBench.OtherEpoch);
    }

    [Fact]
    public void A_transaction_that_runs_is_abandoned_and_one_that_is_prepared_waits_for_its_manager()
    {
        var running = _bench.Access([3]);
        var (prepared, _) = Logged();
        _bench.Node.Turn(() => _bench.Owner.Abandon(running.Id));
        _bench.Node.Turn(() => _bench.Owner.Abandon(prepared.Id));
        Assert.Equal((BranchState.Aborted, BranchState.Logged), (running.State, prepared.State));
    }

    [Fact]
    public void What_the_node_knows_to_be_over_is_served_nothing_and_takes_no_room_here()
    {
        var id = _bench.NewId();
        Assert.True(_bench.Owner.TakesAccessesOf(id));
        _bench.Node.Turn(() => _bench.Node.Engine.Ended.RememberEnd(id));
        Assert.False(_bench.Owner.TakesAccessesOf(id));
        Assert.Empty(_bench.Owner.Branches);
    }

    [Fact]
    public void A_reader_without_a_record_is_abandoned_unless_somebody_else_decides()
    {
        var own = _bench.Access([], reads: [0]);
        _bench.Hear(_bench.Prepare(own, manager: -1));
        var managed = _bench.Access([], reads: [3]);
        _bench.Hear(_bench.Prepare(managed, manager: 1));
        _bench.Node.Turn(() => _bench.Owner.Abandon(own.Id));
        _bench.Node.Turn(() => _bench.Owner.Abandon(managed.Id));
        Assert.Equal((BranchState.Aborted, BranchState.Ordered), (own.State, managed.State));
    }

    [Fact]
    public void A_decision_is_forgotten_when_all_have_acknowledged_and_its_agent_is_done()
    {
        var branch = _bench.Access([0]);
        var prepare = _bench.Prepare(branch, parts: [_bench.Use(0), _bench.Use(1), _bench.Use(2)]);
        _bench.Hear(
            prepare,
            _bench.Vote(branch.Id, 1, prepare.Timestamp, parts: prepare.Parts),
            _bench.Vote(branch.Id, 2, prepare.Timestamp, parts: prepare.Parts));
        var decision = Assert.Single(_bench.Owner.Decisions, decision => decision.Id == branch.Id);
        _bench.Hear(Acknowledge(branch.Id, 1), Acknowledge(branch.Id, 1));
        Assert.Equal([2], decision.MustAcknowledge!);
        _bench.Hear(Acknowledge(branch.Id, 2));
        Assert.Empty(decision.MustAcknowledge!);

        // The agent may still ask.
        Assert.False(decision.ForgetQueued);
        AgentIsDone(branch.Id);
        _bench.Node.Turn(() =>
        {
            for (var i = 0; i < 2; i++) _bench.Owner.OnAcknowledge(Acknowledge(branch.Id, 2));
            Assert.True(decision.ForgetQueued);
        });
        Assert.Contains(decision, _bench.Owner.Decisions);
        _bench.Hear(_bench.Prepare(_bench.Access([3]), manager: 1));
        Assert.True(_bench.HasLogged(LogRecordKind.Forget, branch.Id));
        Assert.DoesNotContain(decision, _bench.Owner.Decisions);
        Assert.Single(
            _bench.Records(), record => record.Kind == LogRecordKind.Forget && record.Transaction == branch.Id);
    }

    [Fact]
    public void An_acknowledgement_of_what_is_not_committed_changes_nothing()
    {
        var branch = _bench.Access([0]);
        var prepare = _bench.Prepare(branch, parts: [_bench.Use(0), _bench.Use(1)]);
        var stuck = _bench.Log.Hold(0, LogRecordKind.Commit);
        _bench.Hear(
            prepare,
            _bench.Vote(branch.Id, 1, prepare.Timestamp, parts: prepare.Parts),
            Acknowledge(branch.Id, 1),
            Acknowledge(_bench.NewId(), 1));
        Assert.Equal([1], Assert.Single(_bench.Owner.Decisions, decision => decision.Id == branch.Id).MustAcknowledge!);
        stuck.Release();
    }

    [Fact]
    public void A_host_that_wants_rest_has_those_asked_who_have_not_acknowledged_for_some_time()
    {
        var branch = _bench.Access([0]);
        var prepare = _bench.Prepare(branch, parts: [_bench.Use(0), _bench.Use(1)]);
        _bench.Hear(prepare, _bench.Vote(branch.Id, 1, prepare.Timestamp, parts: prepare.Parts));
        _bench.Node.Turn(_bench.Owner.SeekRest);
        Assert.Empty(_bench.Wait(1_000));
        Assert.Single(_bench.Owner.Decisions, decision => decision.Id == branch.Id).MustAcknowledge!.ToldAt -=
            _bench.Node.Engine.Options.ResendMicroseconds;
        _bench.Node.Turn(_bench.Owner.SeekRest);
        var asked = Assert.Single(_bench.Wait(1_000), static message => message.Kind == MessageKind.Outcome);
        Assert.Equal(
            (1, MessageFlags.Committed | MessageFlags.Final | MessageFlags.Logged), (asked.Partition, asked.Flags));
    }

    [Fact]
    public void An_abort_of_what_the_log_tells_the_end_of_or_the_agent_is_done_with_is_not_remembered_anew()
    {
        var (branch, timestamp) = Logged();
        _bench.Hear(_bench.Outcome(branch.Id, MessageFlags.Committed | MessageFlags.Final, timestamp));
        _bench.Wait(2 * OwnerBench.Lingering);
        _bench.TakeOver();
        Assert.Empty(_bench.Hear(_bench.Outcome(branch.Id, MessageFlags.Aborted | MessageFlags.Final)));
        Assert.Empty(_bench.Owner.Branches);
        var done = _bench.NewId();
        AgentIsDone(done);
        Assert.Empty(_bench.Hear(_bench.Outcome(done, MessageFlags.Aborted | MessageFlags.Final)));
        Assert.Empty(_bench.Owner.Branches);
    }

    [Fact]
    public void Who_has_written_nothing_does_not_doubt_that_it_is_the_owner()
    {
        var reader = _bench.Access([], reads: [0]);
        var prepare = _bench.Prepare(reader, manager: 1);
        _bench.Hear(prepare);
        _bench.Hear(_bench.Outcome(reader.Id, MessageFlags.Committed, prepare.Timestamp));
        Assert.Equal(BranchState.Committed, reader.State);
        var before = _bench.Records().Count;
        Assert.Empty(_bench.Hear(_bench.Outcome(reader.Id, MessageFlags.Aborted | MessageFlags.Unknown)));
        Assert.Equal(before, _bench.Records().Count);
    }

    [Fact]
    public void What_was_forgotten_and_is_acknowledged_is_not_known_again_by_that()
    {
        var id = _bench.NewId();
        var shell = _bench.Node.Engine.Transactions.FindOrCreateShell(id, "T");
        Acknowledged(
            Assert.Single(_bench.Hear(_bench.Outcome(id, MessageFlags.Committed | MessageFlags.Final, 5))), id);
        Assert.Equal(0, shell.UnfinishedBranches);
        Assert.Empty(_bench.Owner.Branches);
    }

    [Fact]
    public void A_manager_that_loses_what_it_built_upon_aborts_and_tells_at_once_what_it_has_not_recorded()
    {
        var (writer, _) = Logged();
        var upon = _bench.Access([0]);
        _bench.Hear(_bench.Prepare(upon, parts: [_bench.Use(0), _bench.Use(1)]));
        Assert.Equal(DecisionState.Collecting, _bench.StateOf(upon));
        var stuck = _bench.Log.Hold(0, LogRecordKind.Outcome);
        var said = _bench.Hear(_bench.Outcome(writer.Id, MessageFlags.Aborted | MessageFlags.Final));
        Assert.Equal((DecisionState.Aborted, BranchState.Aborted), (_bench.StateOf(upon), upon.State));
        Assert.Contains(
            said,
            message => message.Kind == MessageKind.AgentOutcome && message.Transaction == upon.Id
                && message.Has(MessageFlags.Aborted));
        Assert.Contains(
            said,
            message => message.Kind == MessageKind.Outcome && message.Transaction == upon.Id && message.Partition == 1
                && message.Has(MessageFlags.Aborted));
        stuck.Release();
    }

    [Fact]
    public void A_reader_whose_manager_is_this_partition_is_not_abandoned_once_it_is_ordered()
    {
        var reader = _bench.Access([], reads: [0]);
        _bench.Hear(_bench.Prepare(reader, parts: [_bench.Use(0, writes: false), _bench.Use(1)], manager: 0));
        Assert.Equal((BranchState.Ordered, false), (reader.State, reader.WillLog));
        _bench.Node.Turn(() => _bench.Owner.Abandon(reader.Id));
        Assert.Equal(BranchState.Ordered, reader.State);
    }

    [Fact]
    public void Who_does_not_serve_any_longer_ends_nothing()
    {
        var branch = _bench.Access([0]);
        _bench.Hear(_bench.Query(_bench.NewId()) with { ManagerEpoch = _bench.Owner.Epoch + 1 });
        Assert.False(_bench.Serves);
        _bench.Node.Turn(() => _bench.Owner.Abandon(branch.Id));
        Assert.Equal(BranchState.Running, branch.State);
    }

    [Fact]
    public void Those_who_were_asked_are_not_asked_again_while_others_acknowledge()
    {
        var branch = _bench.Access([0]);
        var prepare = _bench.Prepare(branch, parts: [_bench.Use(0), _bench.Use(1), _bench.Use(2)]);
        _bench.Hear(
            prepare,
            _bench.Vote(branch.Id, 1, prepare.Timestamp, parts: prepare.Parts),
            _bench.Vote(branch.Id, 2, prepare.Timestamp, parts: prepare.Parts));
        var waiting = Assert.Single(_bench.Owner.Decisions, decision => decision.Id == branch.Id).MustAcknowledge!;
        waiting.ToldAt -= _bench.Node.Engine.Options.ResendMicroseconds;
        _bench.Node.Turn(_bench.Owner.SeekRest);
        Assert.Equal(
            [1, 2],
            _bench.Wait(1_000).Where(static message => message.Kind == MessageKind.Outcome)
                .Select(static asked => asked.Partition));
        waiting.ToldAt -= _bench.Node.Engine.Options.ResendMicroseconds;
        Assert.Empty(_bench.Hear(Acknowledge(branch.Id, 1)));
        _bench.Node.Turn(_bench.Owner.SeekRest);
        Assert.Empty(_bench.Wait(1_000));
        waiting.ToldAt -= _bench.Node.Engine.Options.ResendMicroseconds;
        _bench.Node.Turn(_bench.Owner.SeekRest);
        Assert.Equal(
            2, Assert.Single(_bench.Wait(1_000), static message => message.Kind == MessageKind.Outcome).Partition);
    }

    private (Branch Branch, long Timestamp) Logged()
    {
        var branch = _bench.Access([0]);
        var prepare = _bench.Prepare(branch, manager: 1);
        _bench.Hear(prepare);
        Assert.Equal(BranchState.Logged, branch.State);
        return (branch, prepare.Timestamp);
    }

    private void AgentIsDone(TransactionId id) => _bench.Node.Engine.Agents.NoteOldestLive(id.Node, id.Sequence + 1);

    private Message Acknowledge(TransactionId id, int partition) => new()
    {
        Kind = MessageKind.Acknowledge,
        Transaction = id,
        From = _bench.NodeOf(partition),
        FromPartition = partition,
        Partition = 0,
    };

    private static void Acknowledged(in Message said, TransactionId id) =>
        Assert.Equal(
            (MessageKind.Acknowledge, id, 1, 0), (said.Kind, said.Transaction, said.Partition, said.FromPartition));
}
