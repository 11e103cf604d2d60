using Polyjuice.Contracts;
using Polyjuice.Partitions;
using Polyjuice.Storage;
using Polyjuice.Versions;
using Polyjuice.Wire;

namespace Polyjuice.Tests.Partitions.Managers;

/// <summary>
/// Commits by prepares alone, and what is said to a later epoch
/// of a manager that finds one: V2 and V4, message by message.
/// </summary>
public sealed class StagedCommitsTests
{
    private readonly OwnerBench _bench = new(staged: true);

    [Fact]
    public void What_all_have_prepared_is_committed_and_told_before_its_record_is_durable_and_final_after()
    {
        var recording = _bench.Log.Hold(0, LogRecordKind.Commit);
        var (branch, prepare) = Staged();
        Assert.True(_bench.HasLogged(LogRecordKind.Staged, branch.Id));
        var said = _bench.Hear(_bench.Vote(branch.Id, 1, prepare.Timestamp, parts: prepare.Parts));
        Assert.Equal(DecisionState.Committed, _bench.StateOf(branch));
        Assert.Equal(
            MessageFlags.Committed,
            Assert.Single(said, static message => message.Kind == MessageKind.AgentOutcome).Flags);
        Assert.Equal(
            MessageFlags.Committed, Assert.Single(said, static message => message.Kind == MessageKind.Outcome).Flags);
        Assert.Equal(MessageFlags.Committed, Assert.Single(_bench.Hear(_bench.Query(branch.Id))).Flags);
        Assert.False(branch.OutcomeLogged);

        // The record goes out with an append that somebody needs.
        _bench.Hear(_bench.Prepare(_bench.Access([3]), manager: 1));
        recording.Release();
        said = _bench.Wait(1_000);
        Assert.Equal(
            MessageFlags.Committed | MessageFlags.Final,
            Assert.Single(said, static message => message.Kind == MessageKind.Outcome).Flags);
        Assert.True(branch.OutcomeLogged);
    }

    [Fact]
    public void Who_votes_without_a_prepare_makes_the_commit_one_with_a_record()
    {
        var recording = _bench.Log.Hold(0, LogRecordKind.Commit);
        var (branch, prepare) = Staged();
        Assert.Empty(_bench.Hear(_bench.Vote(branch.Id, 1, prepare.Timestamp, logged: false, parts: prepare.Parts)));
        Assert.Equal(DecisionState.Recording, _bench.StateOf(branch));
        recording.Release();
        _bench.Wait(1_000);
        Assert.Equal(DecisionState.Committed, _bench.StateOf(branch));
    }

    [Fact]
    public void A_transaction_with_a_participant_that_only_reads_or_that_decides_last_is_not_staged()
    {
        foreach (var part in new[] { _bench.Use(1, writes: false), _bench.Use(1) with { Decides = true } })
        {
            var branch = _bench.Access([0]);
            _bench.Hear(_bench.Prepare(branch, parts: [_bench.Use(0), part]));
            Assert.False(branch.IsStaged);
            Assert.True(_bench.HasLogged(LogRecordKind.Prepare, branch.Id));
        }

        var own = _bench.Access([0]);
        _bench.Hear(_bench.Prepare(own, manager: 1));
        Assert.False(own.IsStaged);
        var alone = _bench.Access([3]);
        _bench.Hear(_bench.Prepare(alone, parts: [_bench.Use(0)]));
        Assert.False(alone.IsStaged);
    }

    [Fact]
    public void An_abort_is_told_when_it_is_in_the_log()
    {
        var (branch, prepare) = Staged();
        var aborting = _bench.Log.Hold(0, LogRecordKind.Outcome);
        Assert.Empty(_bench.Hear(_bench.Query(branch.Id, kind: MessageKind.AbortRequest)));
        Assert.Equal((DecisionState.ResolvingAbort, BranchState.Logged), (_bench.StateOf(branch), branch.State));

        // A vote that comes now is too late.
        Assert.Empty(
            _bench.Hear(_bench.Vote(branch.Id, 1, prepare.Timestamp, parts: prepare.Parts), _bench.Query(branch.Id)));
        aborting.Release();
        var said = _bench.Wait(1_000);
        Assert.All(said, static message => Assert.True(message.Has(MessageFlags.Aborted)));
        Assert.Equal([MessageKind.Outcome, MessageKind.AgentOutcome], said.Select(static message => message.Kind));
        Assert.Equal((DecisionState.Aborted, BranchState.Aborted), (_bench.StateOf(branch), branch.State));
    }

    [Fact]
    public void What_a_participant_has_refused_for_good_aborts_at_once()
    {
        var (branch, _) = Staged();
        var said = _bench.Hear(_bench.Query(branch.Id, kind: MessageKind.AbortRequest, flags: MessageFlags.Final));
        Assert.Equal((DecisionState.Aborted, BranchState.Aborted), (_bench.StateOf(branch), branch.State));
        Assert.Equal(
            MessageFlags.Aborted,
            Assert.Single(said, static message => message.Kind == MessageKind.AgentOutcome).Flags);
    }

    [Fact]
    public void A_prepare_that_has_not_been_handed_to_the_log_yet_aborts_at_once()
    {
        // One append is under way: what comes meanwhile waits for it.
        var first = _bench.Log.Hold(0, LogRecordKind.Prepare);
        _bench.Hear(_bench.Prepare(_bench.Access([3]), manager: 1));
        var branch = _bench.Access([0]);
        _bench.Hear(_bench.Prepare(branch));
        _bench.Hear(_bench.Query(branch.Id, kind: MessageKind.AbortRequest));
        Assert.Equal((DecisionState.Aborted, BranchState.Aborted), (_bench.StateOf(branch), branch.State));
        first.Release();
    }

    [Fact]
    public void What_all_have_prepared_and_waits_for_its_dependencies_alone_is_not_aborted()
    {
        var other = new CommitDependency(_bench.NewId(), 2, OwnerBench.OtherEpoch);
        var (branch, prepare) = Staged();
        var question = Assert.Single(
            _bench.Hear(_bench.Vote(branch.Id, 1, prepare.Timestamp, parts: prepare.Parts, dependencies: other)));
        Assert.Equal((MessageKind.DependencyQuery, other.Transaction), (question.Kind, question.Other));
        Assert.Empty(
            _bench.Hear(
                _bench.Query(branch.Id, kind: MessageKind.AbortRequest),
                _bench.Vote(branch.Id, 1, prepare.Timestamp, parts: prepare.Parts)));
        Assert.Equal(
            (DecisionState.Collecting, true), (_bench.StateOf(branch), _bench.Decision(branch)!.AwaitsDependencies));
        _bench.Hear(OwnerBench.Answer(branch, other, MessageFlags.Committed));
        Assert.Equal(DecisionState.Committed, _bench.StateOf(branch));
    }

    [Fact]
    public void What_all_have_prepared_aborts_with_its_dependency_once_that_is_in_the_log()
    {
        var other = new CommitDependency(_bench.NewId(), 2, OwnerBench.OtherEpoch);
        var (branch, prepare) = Staged();
        _bench.Hear(_bench.Vote(branch.Id, 1, prepare.Timestamp, parts: prepare.Parts, dependencies: other));
        var aborting = _bench.Log.Hold(0, LogRecordKind.Outcome);
        Assert.Empty(_bench.Hear(OwnerBench.Answer(branch, other, MessageFlags.Aborted)));
        Assert.Equal(DecisionState.ResolvingAbort, _bench.StateOf(branch));
        aborting.Release();
        _bench.Wait(1_000);
        Assert.Equal(DecisionState.Aborted, _bench.StateOf(branch));
    }

    [Fact]
    public void A_later_epoch_that_asks_for_a_vote_gets_it_once_the_prepare_is_durable()
    {
        var stuck = _bench.Log.Hold(0, LogRecordKind.Prepare);
        var branch = _bench.Access([0]);
        var prepare = _bench.Prepare(branch, manager: 1);
        _bench.Hear(prepare);
        var query = VoteQuery(branch.Id);
        Assert.Empty(_bench.Hear(query));
        stuck.Release();
        _bench.Wait(1_000);
        Assert.Equal(BranchState.Logged, branch.State);
        IsVote(Assert.Single(_bench.Hear(query)), branch.Id, MessageFlags.Logged, prepare.Timestamp);
        _bench.Hear(_bench.Outcome(branch.Id, MessageFlags.Committed, prepare.Timestamp));
        IsVote(Assert.Single(_bench.Hear(query)), branch.Id, MessageFlags.Logged, prepare.Timestamp);
    }

    [Fact]
    public void Who_has_no_prepare_says_so_after_an_append_and_never_gets_one()
    {
        var (unknown, running) = (_bench.NewId(), _bench.Access([0]));
        foreach (var id in new[] { unknown, running.Id })
        {
            var proving = _bench.Log.Hold(0, LogRecordKind.Ceiling);
            Assert.Empty(_bench.Hear(VoteQuery(id)));
            proving.Release();
            IsVote(Assert.Single(_bench.Wait(1_000)), id, MessageFlags.Aborted, 0);
            Assert.False(_bench.Owner.TakesAccessesOf(id));
        }

        Assert.Equal(BranchState.Aborted, running.State);
        Assert.True(Assert.Single(_bench.Hear(_bench.Prepare(running, manager: 1))).Has(MessageFlags.Aborted));
    }

    [Fact]
    public void Who_has_a_prepare_of_an_earlier_round_never_gets_one_of_the_round_that_was_asked_for()
    {
        var branch = _bench.Access([0]);
        _bench.Hear(_bench.Prepare(branch, manager: 1));
        IsVote(Assert.Single(_bench.Hear(VoteQuery(branch.Id, round: 2))), branch.Id, MessageFlags.Aborted, 0);
        Assert.Equal(BranchState.Logged, branch.State);
        Assert.Equal(MessageFlags.Aborted, _bench.Reply(_bench.Prepare(branch, round: 2, manager: 1)).Flags);
        Assert.Equal(MessageFlags.Committed, _bench.Reply(_bench.Prepare(branch, round: 3, manager: 1)).Flags);
    }

    [Fact]
    public void Who_only_read_has_no_prepare_either()
    {
        var branch = _bench.Access([], reads: [0]);
        _bench.Hear(_bench.Prepare(branch, manager: 1));
        IsVote(Assert.Single(_bench.Hear(VoteQuery(branch.Id))), branch.Id, MessageFlags.Aborted, 0);
    }

    [Fact]
    public void An_epoch_before_the_one_that_served_the_accesses_gives_up_and_says_nothing()
    {
        Assert.Empty(_bench.Hear(VoteQuery(_bench.NewId()) with { Epoch = _bench.Owner.Epoch + 1 }));
        Assert.False(_bench.Serves);
    }

    [Fact]
    public void A_successor_that_finds_its_own_prepare_and_no_record_asks_all_others_and_commits_when_all_are_prepared()
    {
        var (branch, prepare, said) = Recovered([_bench.Use(0), _bench.Use(1), _bench.Use(2)]);
        var questions = said.Where(static message => message.Kind == MessageKind.VoteQuery).ToList();
        Assert.Equal([1, 2], questions.Select(static question => question.Partition));
        Assert.All(questions, question => Assert.Equal(
            (branch.Id, 0, OwnerBench.OtherEpoch, 1, _bench.Owner.Epoch),
            (question.Transaction, question.FromPartition, question.Epoch, question.Round, question.ManagerEpoch)));
        Assert.Empty(_bench.Hear(Vote(prepare, 1)));
        Assert.Equal(DecisionState.Collecting, StateOf(branch.Id));
        said = _bench.Hear(Vote(prepare, 2));
        Assert.Equal(DecisionState.Committed, StateOf(branch.Id));
        Assert.Equal((MessageFlags.Committed, prepare.Timestamp), (Told(said).Flags, Told(said).Timestamp));
    }

    [Fact]
    public void It_asks_again_those_who_have_not_answered()
    {
        var (branch, prepare, _) = Recovered([_bench.Use(0), _bench.Use(1), _bench.Use(2)]);
        _bench.Hear(Vote(prepare, 1));
        var asked = _bench.Wait(_bench.Node.Engine.Options.ResendMicroseconds * 5 / 4)
            .Where(message => message.Kind == MessageKind.VoteQuery && message.Transaction == branch.Id).ToList();
        Assert.Equal([2], asked.Select(static question => question.Partition));
    }

    [Fact]
    public void It_counts_no_vote_of_another_round()
    {
        var (branch, prepare, _) = Recovered([_bench.Use(0), _bench.Use(1)]);
        Assert.Empty(
            _bench.Hear(
                Vote(prepare, 1) with { Round = 2 },
                Vote(prepare, 1) with { Round = 2, Flags = MessageFlags.Aborted }));
        Assert.Equal(DecisionState.Collecting, StateOf(branch.Id));
    }

    [Fact]
    public void It_aborts_in_its_log_first_when_one_has_no_prepare_and_never_will()
    {
        var (branch, prepare, _) = Recovered([_bench.Use(0), _bench.Use(1)]);
        var aborting = _bench.Log.Hold(0, LogRecordKind.Outcome);
        Assert.Empty(_bench.Hear(Vote(prepare, 1) with { Flags = MessageFlags.Aborted }));
        Assert.Equal(DecisionState.ResolvingAbort, StateOf(branch.Id));
        Assert.Empty(_bench.Hear(Vote(prepare, 1), Vote(prepare, 1) with { Flags = MessageFlags.Aborted }));
        aborting.Release();
        Assert.True(Told(_bench.Wait(1_000)).Has(MessageFlags.Aborted));
        Assert.Equal(DecisionState.Aborted, StateOf(branch.Id));
    }

    [Fact]
    public void It_aborts_for_nobody_who_has_not_refused_it_because_the_epoch_before_may_have_committed_it()
    {
        var (branch, prepare, _) = Recovered([_bench.Use(0), _bench.Use(1)]);
        Assert.Empty(_bench.Hear(_bench.Query(branch.Id, kind: MessageKind.AbortRequest)));
        Assert.Equal(DecisionState.Collecting, StateOf(branch.Id));
        _bench.Hear(_bench.Query(branch.Id, kind: MessageKind.AbortRequest, flags: MessageFlags.Final));
        Assert.Equal(DecisionState.Aborted, StateOf(branch.Id));
        Assert.Empty(_bench.Hear(Vote(prepare, 1)));
        Assert.Equal(DecisionState.Aborted, StateOf(branch.Id));
    }

    [Fact]
    public void It_answers_who_votes_again_with_what_it_has_decided()
    {
        var (_, prepare, _) = Recovered([_bench.Use(0), _bench.Use(1)]);
        _bench.Hear(Vote(prepare, 1));
        var answer = Assert.Single(_bench.Hear(Vote(prepare, 1)));
        Assert.Equal((MessageKind.Outcome, 1, prepare.Timestamp), (answer.Kind, answer.Partition, answer.Timestamp));
        Assert.True(answer.Has(MessageFlags.Committed));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Who_has_the_outcome_in_its_log_promises_nothing_about_a_commit_and_remembers_no_abort_anew(
        bool committed)
    {
        var branch = _bench.Access([0]);
        var prepare = _bench.Prepare(branch, manager: 1);
        _bench.Hear(prepare);
        _bench.Hear(_bench.Decided(branch.Id, committed, prepare.Timestamp));
        _bench.Wait(2 * OwnerBench.Lingering);
        _bench.TakeOver();
        var said = _bench.Hear(VoteQuery(branch.Id));
        if (committed) Assert.Empty(said);
        else IsVote(Assert.Single(said), branch.Id, MessageFlags.Aborted, 0);
        Assert.Empty(_bench.Owner.Branches);
    }

    /// <summary>A successor knows only a prepare that the owner before it has staged.</summary>
    private (Branch Branch, Message Prepare, List<Message> Said) Recovered(ParticipantUse[] parts)
    {
        var branch = _bench.Access([0]);
        var prepare = _bench.Prepare(branch, parts: parts);
        _bench.Hear(prepare);
        Assert.Equal((BranchState.Logged, true), (branch.State, branch.IsStaged));
        return (branch, prepare, _bench.TakeOver());
    }

    /// <summary>It names the epoch of the manager that the prepare named.</summary>
    private Message Vote(in Message prepare, int partition) =>
        _bench.Vote(prepare.Transaction, partition, prepare.Timestamp, parts: prepare.Parts) with
        {
            ManagerEpoch = prepare.ManagerEpoch
        };

    private DecisionState StateOf(TransactionId id) =>
        Assert.Single(_bench.Owner.Decisions, decision => decision.Id == id).State;

    private static Message Told(List<Message> said) =>
        Assert.Single(said, static message => message.Kind == MessageKind.AgentOutcome);

    private (Branch Branch, Message Prepare) Staged()
    {
        var branch = _bench.Access([0]);
        var prepare = _bench.Prepare(branch, parts: [_bench.Use(0), _bench.Use(1)]);
        _bench.Hear(prepare);
        Assert.True(branch.IsStaged);
        Assert.Equal(BranchState.Logged, branch.State);
        return (branch, prepare);
    }

    private Message VoteQuery(TransactionId id, int round = 1) => new()
    {
        Kind = MessageKind.VoteQuery,
        Transaction = id,
        From = _bench.NodeOf(1),
        FromPartition = 1,
        Partition = 0,
        Epoch = _bench.Owner.Epoch,
        Round = round,
        ManagerEpoch = OwnerBench.OtherEpoch + 1,
    };

    private static void IsVote(in Message said, TransactionId id, MessageFlags flags, long timestamp) =>
        Assert.Equal(
            (MessageKind.Vote, id, flags, timestamp, 1),
            (said.Kind, said.Transaction, said.Flags, said.Timestamp, said.Partition));
}
