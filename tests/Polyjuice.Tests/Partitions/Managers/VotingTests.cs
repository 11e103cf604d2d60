using Polyjuice.Partitions;
using Polyjuice.Simulation.Storage;
using Polyjuice.Storage;
using Polyjuice.Versions;
using Polyjuice.Wire;

namespace Polyjuice.Tests.Partitions.Managers;

/// <summary>
/// How a manager counts votes, decides and answers: V1 to V5 and V7, message
/// by message. Commits are recorded here; staged ones have tests of their own.
/// </summary>
public sealed class VotingTests
{
    private readonly OwnerBench _bench = new();

    [Fact]
    public void It_commits_when_all_have_voted_and_tells_the_agent_and_who_has_logged_a_prepare()
    {
        var (branch, timestamp) = Ordered([_bench.Use(0), _bench.Use(1), _bench.Use(2)]);
        Assert.Empty(_bench.Hear(Vote(branch, 1, timestamp)));
        Assert.Equal(DecisionState.Collecting, _bench.StateOf(branch));
        var said = _bench.Hear(Vote(branch, 2, timestamp));
        Assert.Equal(DecisionState.Committed, _bench.StateOf(branch));
        Assert.Equal(BranchState.Committed, branch.State);
        Assert.True(branch.OutcomeLogged);
        Assert.True(_bench.HasLogged(LogRecordKind.Commit, branch.Id));
        var told = Assert.Single(said, static message => message.Kind == MessageKind.AgentOutcome);
        Assert.Equal((MessageFlags.Committed, timestamp), (told.Flags, told.Timestamp));
        var outcomes = said.Where(static message => message.Kind == MessageKind.Outcome).ToList();
        Assert.Equal([1, 2], outcomes.Select(static outcome => outcome.Partition).Order());
        Assert.All(
            outcomes,
            outcome => Assert.Equal(
                (MessageFlags.Committed | MessageFlags.Final, timestamp), (outcome.Flags, outcome.Timestamp)));
    }

    [Fact]
    public void Who_voted_without_a_record_is_told_nothing_and_has_nothing_to_acknowledge()
    {
        var (branch, timestamp) = Ordered([_bench.Use(0), _bench.Use(1), _bench.Use(2, writes: false)]);
        var said = _bench.Hear(Vote(branch, 2, timestamp, logged: false), Vote(branch, 1, timestamp));
        Assert.Equal(1, Assert.Single(said, static message => message.Kind == MessageKind.Outcome).Partition);
        Assert.Equal([1], _bench.Decision(branch)!.MustAcknowledge!);
    }

    [Fact]
    public void The_same_vote_twice_is_one_vote()
    {
        var (branch, timestamp) = Ordered([_bench.Use(0), _bench.Use(1), _bench.Use(2)]);
        _bench.Hear(Vote(branch, 1, timestamp), Vote(branch, 1, timestamp));
        Assert.Equal(DecisionState.Collecting, _bench.StateOf(branch));
        _bench.Hear(Vote(branch, 2, timestamp));
        Assert.Equal(DecisionState.Committed, _bench.StateOf(branch));
    }

    [Fact]
    public void Votes_of_two_rounds_do_not_count_together_and_the_later_one_stays()
    {
        var (branch, timestamp) = Ordered([_bench.Use(0), _bench.Use(1)]);
        _bench.Hear(Vote(branch, 1, timestamp + 10, round: 2));
        Assert.Equal(DecisionState.Collecting, _bench.StateOf(branch));

        // What was under way of the first round comes late.
        _bench.Hear(Vote(branch, 1, timestamp, round: 1));
        Assert.Equal(DecisionState.Collecting, _bench.StateOf(branch));
        _bench.Hear(_bench.Prepare(branch, round: 2, timestamp: timestamp + 10));
        Assert.Equal(
            (DecisionState.Committed, 2, timestamp + 10),
            (_bench.StateOf(branch), _bench.Decision(branch)!.Round, _bench.Decision(branch)!.Timestamp));
    }

    [Fact]
    public void A_vote_of_an_earlier_round_than_the_managers_own_commits_nothing()
    {
        var (branch, timestamp) = Ordered([_bench.Use(0), _bench.Use(1)]);
        _bench.Hear(_bench.Prepare(branch, round: 2, timestamp: timestamp + 10));
        _bench.Hear(Vote(branch, 1, timestamp, round: 1));
        Assert.Equal(DecisionState.Collecting, _bench.StateOf(branch));
        _bench.Hear(Vote(branch, 1, timestamp + 10, round: 2));
        Assert.Equal(DecisionState.Committed, _bench.StateOf(branch));
    }

    [Fact]
    public void A_vote_that_names_an_earlier_epoch_of_the_manager_does_not_count()
    {
        var (branch, timestamp) = Ordered([_bench.Use(0), _bench.Use(1)]);
        _bench.Hear(Vote(branch, 1, timestamp) with { ManagerEpoch = _bench.Owner.Epoch - 1 });
        Assert.Equal(DecisionState.Collecting, _bench.StateOf(branch));
        Assert.True(_bench.Serves);
    }

    [Fact]
    public void A_vote_that_names_a_later_epoch_of_the_manager_deposes_it()
    {
        var (branch, timestamp) = Ordered([_bench.Use(0), _bench.Use(1)]);
        _bench.Hear(Vote(branch, 1, timestamp) with { ManagerEpoch = _bench.Owner.Epoch + 1 });
        Assert.False(_bench.Serves);
    }

    [Fact]
    public void A_refusal_is_no_vote()
    {
        var (branch, timestamp) = Ordered([_bench.Use(0), _bench.Use(1)]);
        _bench.Hear(Vote(branch, 1, timestamp) with { Flags = MessageFlags.Aborted });
        Assert.Equal(DecisionState.Collecting, _bench.StateOf(branch));
    }

    [Fact]
    public void A_vote_that_comes_before_the_managers_own_prepare_counts()
    {
        var branch = _bench.Access([0]);
        var prepare = _bench.Prepare(branch);
        Assert.Empty(_bench.Hear(Vote(branch, 1, prepare.Timestamp)));
        _bench.Hear(prepare);
        Assert.Equal(DecisionState.Committed, _bench.StateOf(branch));
    }

    [Fact]
    public void A_vote_that_does_not_say_who_takes_part_opens_no_decision()
    {
        var branch = _bench.Access([0]);
        Assert.Empty(
            _bench.Hear(
                Vote(branch, 1, _bench.Soon()) with { Parts = null },
                Vote(branch, 1, _bench.Soon()) with { Parts = [] }));
        Assert.Null(_bench.Decision(branch));
    }

    [Fact]
    public void A_vote_for_what_aborted_here_changes_nothing()
    {
        var branch = _bench.Access([0]);
        _bench.Node.Turn(() => _bench.Owner.Abandon(branch.Id));
        Assert.Empty(_bench.Hear(Vote(branch, 1, _bench.Soon())));
        Assert.Null(_bench.Decision(branch));
    }

    [Fact]
    public void A_vote_that_comes_again_after_the_commit_is_answered_with_the_outcome()
    {
        var (branch, timestamp) = Ordered([_bench.Use(0), _bench.Use(1)]);
        _bench.Hear(Vote(branch, 1, timestamp));
        var again = Assert.Single(_bench.Hear(Vote(branch, 1, timestamp)));
        Assert.Equal(
            (MessageKind.Outcome, MessageFlags.Committed | MessageFlags.Final, 1, timestamp),
            (again.Kind, again.Flags, again.Partition, again.Timestamp));
    }

    [Fact]
    public void Nobody_is_told_before_the_record_is_durable_and_no_vote_or_abort_comes_in_between()
    {
        var stuck = _bench.Log.Hold(0, LogRecordKind.Commit);
        var (branch, timestamp) = Ordered([_bench.Use(0), _bench.Use(1)]);
        Assert.Empty(_bench.Hear(Vote(branch, 1, timestamp)));
        Assert.Equal(DecisionState.Recording, _bench.StateOf(branch));
        Assert.Empty(
            _bench.Hear(
                Vote(branch, 1, timestamp),
                _bench.Query(branch.Id),
                _bench.Query(branch.Id, kind: MessageKind.AbortRequest),
                _bench.Query(branch.Id, kind: MessageKind.AbortRequest, flags: MessageFlags.Final)));
        Assert.Equal(DecisionState.Recording, _bench.StateOf(branch));
        stuck.Release();
        Assert.Equal(
            [MessageKind.Outcome, MessageKind.AgentOutcome],
            _bench.Wait(1_000).Select(static message => message.Kind));
    }

    [Fact]
    public void An_abort_that_is_asked_for_while_votes_are_missing_is_told_to_all_and_answered()
    {
        var (branch, _) = Ordered([_bench.Use(0), _bench.Use(1), _bench.Use(2)]);
        var said = _bench.Hear(_bench.Query(branch.Id, 2, MessageKind.AbortRequest));
        Assert.Equal((DecisionState.Aborted, BranchState.Aborted), (_bench.StateOf(branch), branch.State));
        Assert.Equal(VersionStatus.Ordered, _bench.Participant(0).Last.Status);
        Assert.NotEqual(branch.Id, _bench.Participant(0).Last.Id.Transaction);
        Assert.Equal(
            MessageFlags.Aborted,
            Assert.Single(said, static message => message.Kind == MessageKind.AgentOutcome).Flags);
        var outcomes = said.Where(static message => message.Kind == MessageKind.Outcome).ToList();
        Assert.Equal([1, 2, 2], outcomes.Select(static outcome => outcome.Partition).Order());
        Assert.All(outcomes, static outcome => Assert.Equal(MessageFlags.Aborted | MessageFlags.Final, outcome.Flags));

        // A vote that comes now is too late, and who asks hears the same.
        Assert.Empty(_bench.Hear(Vote(branch, 1, _bench.Soon())));
        var again = Assert.Single(_bench.Hear(_bench.Query(branch.Id)));
        Assert.Equal((MessageKind.Outcome, MessageFlags.Aborted | MessageFlags.Final), (again.Kind, again.Flags));
    }

    [Fact]
    public void A_mere_question_while_votes_are_missing_is_not_answered_and_aborts_nothing()
    {
        var (branch, timestamp) = Ordered([_bench.Use(0), _bench.Use(1)]);
        Assert.Empty(_bench.Hear(_bench.Query(branch.Id)));
        _bench.Hear(Vote(branch, 1, timestamp));
        Assert.Equal(DecisionState.Committed, _bench.StateOf(branch));
    }

    [Fact]
    public void Who_asks_after_the_commit_hears_of_it_and_of_its_timestamp()
    {
        var (branch, timestamp) = Ordered([_bench.Use(0), _bench.Use(1)]);
        _bench.Hear(Vote(branch, 1, timestamp));
        foreach (var kind in new[] { MessageKind.Query, MessageKind.AbortRequest })
        {
            var answer = Assert.Single(_bench.Hear(_bench.Query(branch.Id, kind: kind)));
            Assert.Equal(
                (MessageKind.Outcome, MessageFlags.Committed | MessageFlags.Final, 1, timestamp),
                (answer.Kind, answer.Flags, answer.Partition, answer.Timestamp));
            answer = Assert.Single(_bench.Hear(_bench.Query(branch.Id, kind: kind, flags: MessageFlags.ToAgent)));
            Assert.Equal(
                (MessageKind.AgentOutcome, MessageFlags.Committed | MessageFlags.Final, timestamp),
                (answer.Kind, answer.Flags, answer.Timestamp));
        }
    }

    [Fact]
    public void What_is_not_known_can_never_commit_once_that_was_said()
    {
        var id = _bench.NewId();
        var answer = Assert.Single(_bench.Hear(_bench.Query(id)));
        Assert.Equal(
            (MessageKind.Outcome, MessageFlags.Aborted | MessageFlags.Final | MessageFlags.Unknown),
            (answer.Kind, answer.Flags));
        Assert.False(_bench.Owner.TakesAccessesOf(id));
        Assert.Null(_bench.Owner.BranchForAccess(_bench.Node.Engine.Transactions.FindOrCreateShell(id, "T")));
    }

    [Fact]
    public void What_still_runs_when_its_manager_is_asked_aborts_before_that_is_said()
    {
        var branch = _bench.Access([0]);
        var answer = Assert.Single(
            _bench.Hear(_bench.Query(branch.Id, flags: MessageFlags.ToAgent, kind: MessageKind.AbortRequest)));
        Assert.Equal(
            (MessageKind.AgentOutcome, MessageFlags.Aborted | MessageFlags.Final | MessageFlags.Unknown),
            (answer.Kind, answer.Flags));
        Assert.Equal(BranchState.Aborted, branch.State);
    }

    [Fact]
    public void A_question_that_names_a_later_epoch_is_not_answered_and_deposes()
    {
        var (branch, timestamp) = Ordered([_bench.Use(0), _bench.Use(1)]);
        _bench.Hear(Vote(branch, 1, timestamp));
        Assert.Empty(_bench.Hear(_bench.Query(branch.Id) with { ManagerEpoch = _bench.Owner.Epoch + 1 }));
        Assert.False(_bench.Serves);
    }

    [Fact]
    public void A_question_that_names_an_earlier_epoch_is_answered()
    {
        var (branch, timestamp) = Ordered([_bench.Use(0), _bench.Use(1)]);
        _bench.Hear(Vote(branch, 1, timestamp));
        Assert.True(
            Assert.Single(_bench.Hear(_bench.Query(branch.Id) with { ManagerEpoch = _bench.Owner.Epoch - 1 }))
                .Has(MessageFlags.Committed));
    }

    [Fact]
    public void One_participant_commits_with_one_record_without_a_vote_or_an_outcome()
    {
        var branch = _bench.Access([0]);
        var prepare = _bench.Prepare(branch, parts: [_bench.Use(0)]);
        var said = _bench.Hear(prepare);
        Assert.Equal([MessageKind.PrepareReply, MessageKind.AgentOutcome], said.Select(static message => message.Kind));
        Assert.Equal((MessageFlags.Committed, prepare.Timestamp), (said[1].Flags, said[1].Timestamp));
        Assert.Equal(BranchState.Committed, branch.State);
        Assert.True(
            _bench.HasLogged(LogRecordKind.Prepare, branch.Id) && _bench.HasLogged(LogRecordKind.Commit, branch.Id));
        Assert.Null(_bench.Decision(branch)!.MustAcknowledge);
    }

    [Fact]
    public void For_that_it_takes_one_append()
    {
        _bench.RaiseCeiling();
        var before = _bench.Node.Engine.Statistics.Appends;
        var branch = _bench.Access([0]);
        _bench.Hear(_bench.Prepare(branch, parts: [_bench.Use(0)]));
        Assert.Equal((BranchState.Committed, before + 1), (branch.State, _bench.Node.Engine.Statistics.Appends));
    }

    [Fact]
    public void A_prepare_is_written_once_though_others_build_on_it()
    {
        var writer = _bench.Access([0]);
        _bench.Hear(_bench.Prepare(writer, manager: 1));
        _bench.Hear(
            _bench.Prepare(_bench.Access([0]), manager: 1), _bench.Prepare(_bench.Access([], reads: [0]), manager: 1));
        Assert.Single(
            _bench.Records(), record => record.Kind == LogRecordKind.Prepare && record.Transaction == writer.Id);
    }

    [Fact]
    public void A_prepare_tells_a_successor_who_takes_part_whoever_manages_it()
    {
        var branch = _bench.Access([0]);
        var prepare = _bench.Prepare(branch, parts: [_bench.Use(0), _bench.Use(1), _bench.Use(2)], manager: 1);
        _bench.Hear(prepare);
        var said = _bench.TakeOver();
        Assert.Equal(
            prepare.Parts!.Select(static part => part.Partition),
            Assert.Single(_bench.Owner.Branches).Parts.Select(static part => part.Partition));
        Assert.Equal(
            [MessageKind.Query, MessageKind.Vote],
            said.Where(message => message.Transaction == branch.Id).Select(static message => message.Kind).Order());
    }

    [Fact]
    public void What_a_manager_has_prepared_in_an_earlier_epoch_and_not_recorded_aborts_when_others_ask()
    {
        var branch = _bench.Access([0]);
        _bench.Hear(_bench.Prepare(branch, parts: [_bench.Use(0), _bench.Use(1)]));
        Assert.Equal((BranchState.Logged, false), (branch.State, branch.IsStaged));
        _bench.TakeOver();
        var recovered = Assert.Single(_bench.Owner.Branches);
        Assert.Equal(BranchState.Logged, recovered.State);
        var answer = Assert.Single(_bench.Hear(_bench.Query(branch.Id)));
        Assert.Equal(
            (MessageKind.Outcome, MessageFlags.Aborted | MessageFlags.Final | MessageFlags.Unknown),
            (answer.Kind, answer.Flags));
        Assert.Equal(BranchState.Aborted, recovered.State);
        Assert.True(_bench.HasLogged(LogRecordKind.Outcome, branch.Id));
    }

    [Fact]
    public void Who_is_asked_about_what_another_manages_does_not_abort_what_it_has_prepared()
    {
        var branch = _bench.Access([0]);
        _bench.Hear(_bench.Prepare(branch, manager: 1));
        _bench.Hear(_bench.Query(branch.Id, partition: 2));
        _bench.Wait(2 * OwnerBench.Lingering);
        Assert.Equal((BranchState.Logged, false), (branch.State, _bench.HasLogged(LogRecordKind.Outcome, branch.Id)));
    }

    [Fact]
    public void A_vote_for_what_the_agent_is_done_with_opens_no_decision()
    {
        var id = _bench.NewId();
        _bench.Node.Engine.Agents.NoteOldestLive(id.Node, id.Sequence + 1);
        Assert.Empty(_bench.Hear(_bench.Vote(id, 1, _bench.Soon())));
        Assert.Empty(_bench.Owner.Decisions);
    }

    [Fact]
    public void A_vote_that_comes_again_without_a_dependency_counts_as_it_is_now()
    {
        var (branch, timestamp) = Ordered([_bench.Use(0), _bench.Use(1), _bench.Use(2)]);
        var other = new CommitDependency(_bench.NewId(), 2, OwnerBench.OtherEpoch);
        _bench.Hear(
            Vote(branch, 1, timestamp, dependencies: other), Vote(branch, 1, timestamp), Vote(branch, 2, timestamp));
        Assert.Equal(DecisionState.Committed, _bench.StateOf(branch));
    }

    [Fact]
    public void A_commit_record_with_a_dependency_is_told_when_that_has_committed_and_final_when_that_is_durable_too()
    {
        var other = new CommitDependency(_bench.NewId(), 2, OwnerBench.OtherEpoch);
        var (branch, timestamp) = Ordered([_bench.Use(0), _bench.Use(1)]);
        var question = Assert.Single(_bench.Hear(Vote(branch, 1, timestamp, dependencies: other)));
        Assert.Equal(
            (MessageKind.DependencyQuery, branch.Id, other.Transaction, 2, other.Epoch, 0),
            (question.Kind, question.Transaction, question.Other, question.Partition, question.Epoch,
                question.FromPartition));
        Assert.Equal(DecisionState.Recorded, _bench.StateOf(branch));
        Assert.Empty(_bench.Hear(_bench.Query(branch.Id)));
        Assert.Equal(
            1,
            Assert.Single(
                _bench.Records(),
                record => record.Kind == LogRecordKind.Commit && record.Transaction == branch.Id).Value);

        var stuck = _bench.Log.Hold(0, LogRecordKind.Resolved);
        var said = _bench.Hear(OwnerBench.Answer(branch, other, MessageFlags.Committed));
        Assert.Equal(
            MessageFlags.Committed,
            Assert.Single(said, static message => message.Kind == MessageKind.AgentOutcome).Flags);
        Assert.Equal(
            MessageFlags.Committed, Assert.Single(said, static message => message.Kind == MessageKind.Outcome).Flags);
        Assert.False(branch.OutcomeLogged);
        Assert.Equal(MessageFlags.Committed, Assert.Single(_bench.Hear(_bench.Query(branch.Id))).Flags);
        stuck.Release();
        Assert.Equal(MessageFlags.Committed | MessageFlags.Final, Assert.Single(_bench.Wait(1_000)).Flags);
        Assert.True(branch.OutcomeLogged);
        Assert.Equal(
            1,
            Assert.Single(
                _bench.Records(),
                record => record.Kind == LogRecordKind.Resolved && record.Transaction == branch.Id).Value);
    }

    [Fact]
    public void A_commit_record_whose_dependency_aborts_is_told_when_its_abort_is_durable()
    {
        var other = new CommitDependency(_bench.NewId(), 2, OwnerBench.OtherEpoch);
        var (branch, timestamp) = Ordered([_bench.Use(0), _bench.Use(1)]);
        _bench.Hear(Vote(branch, 1, timestamp, dependencies: other));
        var stuck = _bench.Log.Hold(0, LogRecordKind.Resolved);
        Assert.Empty(
            _bench.Hear(
                OwnerBench.Answer(branch, other, MessageFlags.Aborted),
                OwnerBench.Answer(branch, other, MessageFlags.Aborted),
                _bench.Query(branch.Id)));
        Assert.Equal(DecisionState.ResolvingAbort, _bench.StateOf(branch));
        stuck.Release();
        var said = _bench.Wait(1_000);
        Assert.Equal([MessageKind.Outcome, MessageKind.AgentOutcome], said.Select(static message => message.Kind));
        Assert.All(said, static message => Assert.True(message.Has(MessageFlags.Aborted)));
        Assert.Equal((DecisionState.Aborted, BranchState.Aborted), (_bench.StateOf(branch), branch.State));
        Assert.Equal(
            0,
            Assert.Single(
                _bench.Records(),
                record => record.Kind == LogRecordKind.Resolved && record.Transaction == branch.Id).Value);
    }

    [Fact]
    public void A_dependency_that_aborts_while_votes_are_missing_aborts_at_once()
    {
        var other = _bench.Access([0]);
        _bench.Hear(_bench.Prepare(other, parts: [_bench.Use(0), _bench.Use(2)]));
        var (branch, timestamp) = Ordered([_bench.Use(0), _bench.Use(1)], account: 3);
        _bench.Hear(_bench.Query(other.Id, kind: MessageKind.AbortRequest));
        var said = _bench.Hear(
            Vote(branch, 1, timestamp, dependencies: new CommitDependency(other.Id, 0, _bench.Owner.Epoch)));
        Assert.Equal(DecisionState.Aborted, _bench.StateOf(branch));
        Assert.Equal(
            MessageFlags.Aborted,
            Assert.Single(said, static message => message.Kind == MessageKind.AgentOutcome).Flags);
        Assert.False(_bench.HasLogged(LogRecordKind.Commit, branch.Id));
    }

    [Fact]
    public void A_dependency_that_this_manager_has_committed_itself_is_none()
    {
        var other = _bench.Access([0]);
        var prepare = _bench.Prepare(other, parts: [_bench.Use(0), _bench.Use(2)]);
        _bench.Hear(prepare, Vote(other, 2, prepare.Timestamp));
        var (branch, timestamp) = Ordered([_bench.Use(0), _bench.Use(1)], account: 3);
        var said = _bench.Hear(
            Vote(branch, 1, timestamp, dependencies: new CommitDependency(other.Id, 2, OwnerBench.OtherEpoch)));
        Assert.Equal(DecisionState.Committed, _bench.StateOf(branch));
        Assert.True(Assert.Single(said, static message => message.Kind == MessageKind.Outcome).Has(MessageFlags.Final));
        Assert.Equal(
            0,
            Assert.Single(
                _bench.Records(),
                record => record.Kind == LogRecordKind.Commit && record.Transaction == branch.Id).Value);
    }

    [Fact]
    public void Who_commits_alone_sends_no_vote_however_often_it_is_asked()
    {
        var writer = _bench.Access([0]);
        _bench.Hear(_bench.Prepare(writer, manager: 1));
        var branch = _bench.Access([0]);
        var prepare = _bench.Prepare(branch, parts: [_bench.Use(0)]);
        Assert.Equal([MessageKind.PrepareReply], _bench.Hear(prepare).Select(static message => message.Kind));
        Assert.Equal((DecisionState.Recorded, BranchState.Logged), (_bench.StateOf(branch), branch.State));
        Assert.Equal([MessageKind.PrepareReply], _bench.Hear(prepare).Select(static message => message.Kind));
    }

    [Fact]
    public void Who_has_heard_that_its_managers_partition_has_another_owner_asks_that_one_with_its_vote()
    {
        var branch = _bench.Access([0]);
        _bench.News(partition: 1, epoch: OwnerBench.OtherEpoch + 1);
        var said = _bench.Hear(_bench.Prepare(branch, manager: 1));
        Assert.Equal(
            [MessageKind.PrepareReply, MessageKind.Query, MessageKind.Vote],
            said.Select(static message => message.Kind).Order());
        var question = said.Single(static message => message.Kind == MessageKind.Query);
        Assert.Equal(
            (branch.Id, 1, 0, OwnerBench.OtherEpoch),
            (question.Transaction, question.Partition, question.FromPartition, question.ManagerEpoch));
    }

    [Fact]
    public void Who_has_heard_of_no_later_owner_asks_nothing()
    {
        _bench.News(partition: 1, epoch: OwnerBench.OtherEpoch);
        Assert.Equal(
            [MessageKind.PrepareReply, MessageKind.Vote],
            _bench.Hear(_bench.Prepare(_bench.Access([0]), manager: 1)).Select(static message => message.Kind).Order());
    }

    [Fact]
    public void A_vote_for_what_the_log_tells_the_end_of_opens_no_decision()
    {
        var branch = _bench.Access([0]);
        var prepare = _bench.Prepare(branch, manager: 1);
        Committed(branch, prepare);
        _bench.TakeOver();
        Assert.Empty(_bench.Hear(_bench.Vote(branch.Id, 1, prepare.Timestamp)));
        Assert.Empty(_bench.Owner.Decisions);
    }

    [Fact]
    public void What_has_committed_here_is_committed_for_who_asks_whether_this_log_decided_it_or_not()
    {
        var branch = _bench.Access([0]);
        var prepare = _bench.Prepare(branch, manager: 1);
        Committed(branch, prepare);
        for (var i = 0; i < 2; i++)
        {
            var answer = Assert.Single(_bench.Hear(_bench.Query(branch.Id)));
            Assert.Equal(
                (MessageKind.Outcome, MessageFlags.Committed | MessageFlags.Final), (answer.Kind, answer.Flags));
            if (i == 0) _bench.TakeOver();
        }
    }

    [Fact]
    public void A_dependency_that_commits_while_the_record_is_on_its_way_is_not_asked_about()
    {
        var other = _bench.Access([3]);
        var first = _bench.Prepare(other, parts: [_bench.Use(0), _bench.Use(2)]);
        _bench.Hear(first);
        var (branch, timestamp) = Ordered([_bench.Use(0), _bench.Use(1)]);

        // Both records go out with one append, behind one that is under way.
        var stuck = _bench.Log.Hold(0, LogRecordKind.Prepare);
        _bench.Hear(_bench.Prepare(_bench.Access([], reads: [3]), manager: 1));
        _bench.Hear(
            _bench.Vote(other.Id, 2, first.Timestamp, parts: first.Parts),
            Vote(branch, 1, timestamp, dependencies: new CommitDependency(other.Id, 2, OwnerBench.OtherEpoch)));
        Assert.Equal(
            (DecisionState.Recording, DecisionState.Recording), (_bench.StateOf(other), _bench.StateOf(branch)));
        stuck.Release();
        Assert.DoesNotContain(_bench.Wait(2_000), static message => message.Kind == MessageKind.DependencyQuery);
        Assert.Equal(
            (DecisionState.Committed, DecisionState.Committed), (_bench.StateOf(other), _bench.StateOf(branch)));
    }

    [Fact]
    public void A_dependency_that_aborts_while_the_record_is_on_its_way_aborts_it_once_that_is_in_the_log()
    {
        var other = new CommitDependency(_bench.NewId(), 2, OwnerBench.OtherEpoch);
        var (branch, timestamp) = Ordered([_bench.Use(0), _bench.Use(1)]);
        var recording = _bench.Log.Hold(0, LogRecordKind.Commit);
        _bench.Hear(
            Vote(branch, 1, timestamp, dependencies: other), OwnerBench.Answer(branch, other, MessageFlags.Aborted));
        Assert.Equal(DecisionState.Recording, _bench.StateOf(branch));
        var resolving = _bench.Log.Hold(0, LogRecordKind.Resolved);
        recording.Release();
        Assert.Empty(_bench.Wait(1_000));
        Assert.Equal(DecisionState.ResolvingAbort, _bench.StateOf(branch));
        resolving.Release();
        Assert.All(_bench.Wait(1_000), static message => Assert.True(message.Has(MessageFlags.Aborted)));
        Assert.Equal((DecisionState.Aborted, BranchState.Aborted), (_bench.StateOf(branch), branch.State));
    }

    [Fact]
    public void What_aborts_before_the_managers_own_prepare_has_come_never_accesses_anything_here()
    {
        var id = _bench.NewId();
        _bench.Hear(_bench.Vote(id, 1, _bench.Soon()));
        Assert.True(_bench.Owner.TakesAccessesOf(id));
        _bench.Hear(_bench.Query(id, kind: MessageKind.AbortRequest, flags: MessageFlags.Final));
        Assert.False(_bench.Owner.TakesAccessesOf(id));
        Assert.Single(_bench.Owner.Branches, branch => branch.Id == id && branch.State == BranchState.Aborted);
    }

    [Fact]
    public void Nothing_aborts_a_transaction_while_its_final_step_is_being_taken()
    {
        var step = new TaskCompletionSource<bool>();
        var branch = _bench.Access([0]);
        branch.FinalStep = _ => step.Task;
        var prepare = _bench.Prepare(branch, parts: [_bench.Use(0), _bench.Use(1)]);
        _bench.Hear(prepare);
        Assert.Empty(_bench.Hear(_bench.Vote(branch.Id, 1, prepare.Timestamp)));
        Assert.Equal(DecisionState.TakingFinalStep, _bench.StateOf(branch));
        Assert.Empty(
            _bench.Hear(
                _bench.Query(branch.Id, kind: MessageKind.AbortRequest),
                _bench.Query(branch.Id, kind: MessageKind.AbortRequest, flags: MessageFlags.Final)));
        Assert.Equal(DecisionState.TakingFinalStep, _bench.StateOf(branch));
        _bench.Node.Turn(() => step.SetResult(true));
        _bench.Wait(1_000);
        Assert.Equal(DecisionState.Committed, _bench.StateOf(branch));
    }

    /// <summary>Its manager, elsewhere, says that it has committed, and that goes into the log.</summary>
    private void Committed(Branch branch, in Message prepare)
    {
        _bench.Hear(prepare);
        _bench.Hear(_bench.Outcome(branch.Id, MessageFlags.Committed | MessageFlags.Final, prepare.Timestamp));
        _bench.Wait(2 * OwnerBench.Lingering);
        Assert.True(branch.OutcomeLogged);
    }

    private (Branch Branch, long Timestamp) Ordered(ParticipantUse[] parts, int account = 0)
    {
        var branch = _bench.Access([account]);
        var prepare = _bench.Prepare(branch, parts: parts);
        Assert.Equal([MessageKind.PrepareReply], _bench.Hear(prepare).Select(static message => message.Kind));
        return (branch, prepare.Timestamp);
    }

    private Message Vote(
        Branch branch, int partition, long timestamp, int round = 1, bool logged = true,
        params CommitDependency[] dependencies) =>
        _bench.Vote(
            branch.Id,
            partition,
            timestamp,
            round,
            logged,
            branch.Parts.Length > 0 ? branch.Parts : null,
            dependencies);
}
