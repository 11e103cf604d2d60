using Polyjuice.Contracts;
using Polyjuice.Partitions;
using Polyjuice.Storage;
using Polyjuice.Tests.Agents;
using Polyjuice.Versions;
using Polyjuice.Wire;

namespace Polyjuice.Tests.Partitions.Managers;

/// <summary>
/// What an owner says about what others depend on, and what it makes of such answers: V5, message by message.
/// </summary>
public sealed class DependencyOutcomesTests
{
    private readonly OwnerBench _bench = new();

    [Fact]
    public void Who_asks_about_what_is_undecided_hears_of_it_once_it_is_decided_however_often_it_asked()
    {
        var (branch, timestamp) = Logged();
        var (one, other) = (Query(branch.Id, 1), Query(branch.Id, 2));
        var third = Query(branch.Id, 2);
        Assert.Empty(_bench.Hear(one, other, one, third, one with { FromPartition = 2 }));
        var said = _bench.Hear(_bench.Outcome(branch.Id, MessageFlags.Committed, timestamp));
        Assert.Equal(4, said.Count);
        Assert.All(
            said,
            message => Assert.Equal(
                (MessageKind.DependencyAnswer, MessageFlags.Committed, branch.Id, 0),
                (message.Kind, message.Flags, message.Other, message.FromPartition)));
        Assert.Equal(
            [(one.Transaction, 1), (one.Transaction, 2), (other.Transaction, 2), (third.Transaction, 2)],
            said.Select(static message => (message.Transaction, message.Partition))
                .OrderBy(static told => told.Transaction.Sequence));
        Assert.Empty(_bench.Hear(_bench.Outcome(branch.Id, MessageFlags.Committed, timestamp)));
    }

    [Fact]
    public void An_abort_is_told_to_who_asked_as_well()
    {
        var (branch, _) = Logged();
        Assert.Empty(_bench.Hear(Query(branch.Id, 2)));
        var said = Assert.Single(_bench.Hear(_bench.Outcome(branch.Id, MessageFlags.Aborted | MessageFlags.Final)));
        Assert.Equal((MessageKind.DependencyAnswer, MessageFlags.Aborted), (said.Kind, said.Flags));
        said = Assert.Single(_bench.Hear(Query(branch.Id, 2)));
        Assert.Equal((MessageKind.DependencyAnswer, MessageFlags.Aborted), (said.Kind, said.Flags));
    }

    [Fact]
    public void What_is_committed_is_said_at_once_to_the_partition_or_the_agent_that_asks()
    {
        var (branch, timestamp) = Logged();
        _bench.Hear(_bench.Outcome(branch.Id, MessageFlags.Committed, timestamp));
        Assert.Equal(MessageFlags.Committed, Assert.Single(_bench.Hear(Query(branch.Id, 2))).Flags);
        var said = Assert.Single(_bench.Hear(Query(branch.Id, 2) with { Flags = MessageFlags.ToAgent }));
        Assert.Equal(
            (MessageKind.DependencyAnswer, MessageFlags.Committed | MessageFlags.ToAgent), (said.Kind, said.Flags));
    }

    [Fact]
    public void What_runs_or_is_not_known_can_be_nobodys_dependency_that_commits()
    {
        Assert.Equal(MessageFlags.Aborted, Assert.Single(_bench.Hear(Query(_bench.NewId(), 1))).Flags);
        Assert.Equal(MessageFlags.Aborted, Assert.Single(_bench.Hear(Query(_bench.Access([0]).Id, 1))).Flags);
    }

    [Theory]
    [InlineData(0, true)]
    [InlineData(-1, true)]
    [InlineData(1, false)]
    public void The_epoch_where_it_arose_or_a_later_one_answers_and_an_earlier_one_gives_up(int other, bool answers)
    {
        var (branch, timestamp) = Logged();
        _bench.Hear(_bench.Outcome(branch.Id, MessageFlags.Committed, timestamp));
        var said = _bench.Hear(Query(branch.Id, 1) with { Epoch = _bench.Owner.Epoch + other });
        Assert.Equal(answers, said.Count == 1);
        Assert.Equal(answers, _bench.Serves);
    }

    [Fact]
    public void All_dependencies_must_have_committed_each_where_it_arose()
    {
        var (one, two) = (_bench.NewId(), _bench.NewId());
        CommitDependency[] dependencies =
        [
            new(one, 1, OwnerBench.OtherEpoch), new(one, 2, OwnerBench.OtherEpoch), new(two, 2, OwnerBench.OtherEpoch)
        ];
        var (branch, said) = Recorded(dependencies);
        Assert.Equal(
            [(one, 1), (one, 2), (two, 2)],
            said.Where(static message => message.Kind == MessageKind.DependencyQuery)
                .Select(static message => (message.Other, message.Partition)));
        Assert.Empty(
            _bench.Hear(
                Answer(branch, one, 1),
                Answer(branch, one, 1),
                Answer(branch, two, 1),
                Answer(branch, _bench.NewId(), 2)));
        Assert.Empty(_bench.Hear(Answer(branch, two, 2)));
        Assert.Equal(DecisionState.Recorded, _bench.StateOf(branch));
        Assert.NotEmpty(_bench.Hear(Answer(branch, one, 2)));
        Assert.Equal(DecisionState.Committed, _bench.StateOf(branch));
    }

    [Fact]
    public void An_answer_about_what_it_does_not_depend_on_aborts_nothing()
    {
        var other = _bench.NewId();
        var (branch, _) = Recorded(new CommitDependency(other, 2, OwnerBench.OtherEpoch));
        Assert.Empty(_bench.Hear(
            Answer(branch, other, 0, MessageFlags.Aborted),
            Answer(branch, other, 1, MessageFlags.Aborted),
            Answer(branch, _bench.NewId(), 2, MessageFlags.Aborted)));
        Assert.Equal(DecisionState.Recorded, _bench.StateOf(branch));
        Assert.False(_bench.Decision(branch)!.DependencyAborted);
    }

    [Fact]
    public void A_dependency_that_arose_here_and_elsewhere_is_resolved_at_both()
    {
        var (writer, timestamp) = Logged();
        CommitDependency[] dependencies =
        [
            new(writer.Id, 0, _bench.Owner.Epoch), new(writer.Id, 2, OwnerBench.OtherEpoch)
        ];
        var (branch, _) = Recorded(account: 3, dependencies);
        Assert.Empty(_bench.Hear(_bench.Outcome(writer.Id, MessageFlags.Committed, timestamp)));
        Assert.Equal(DecisionState.Recorded, _bench.StateOf(branch));
        _bench.Hear(Answer(branch, writer.Id, 2));
        Assert.Equal(DecisionState.Committed, _bench.StateOf(branch));
    }

    [Fact]
    public void What_became_of_a_transaction_here_says_nothing_of_a_dependency_that_arose_elsewhere()
    {
        var other = _bench.Access([3]);
        _bench.Hear(
            _bench.Prepare(other, manager: 1), _bench.Outcome(other.Id, MessageFlags.Aborted | MessageFlags.Final));

        // Epochs are places in a log: those of two partitions may be the same.
        var (branch, said) = Recorded(new CommitDependency(other.Id, 2, _bench.Owner.Epoch));
        Assert.Equal(2, Assert.Single(said, static message => message.Kind == MessageKind.DependencyQuery).Partition);
        Assert.Equal(DecisionState.Recorded, _bench.StateOf(branch));
    }

    [Fact]
    public void What_has_committed_here_before_all_votes_are_in_is_no_dependency_of_the_record()
    {
        var (writer, timestamp) = Logged();
        var reader = _bench.Access([3], reads: [0]);
        var prepare = _bench.Prepare(reader, parts: [_bench.Use(0), _bench.Use(1)]);
        _bench.Hear(prepare);
        Assert.Equal([writer], reader.DependsOn!);
        _bench.Hear(_bench.Outcome(writer.Id, MessageFlags.Committed, timestamp));
        var said = _bench.Hear(_bench.Vote(reader.Id, 1, prepare.Timestamp, parts: prepare.Parts));
        Assert.Equal(DecisionState.Committed, _bench.StateOf(reader));
        Assert.False(_bench.Decision(reader)!.HadDependencies);
        Assert.Equal(
            MessageFlags.Committed | MessageFlags.Final,
            Assert.Single(said, static message => message.Kind == MessageKind.Outcome).Flags);
    }

    [Fact]
    public void What_depends_on_a_transaction_that_has_aborted_here_is_never_recorded()
    {
        var (writer, _) = Logged();
        var reader = _bench.Access([3], reads: [0]);
        var prepare = _bench.Prepare(reader, parts: [_bench.Use(0), _bench.Use(1)]);
        _bench.Hear(prepare, _bench.Outcome(writer.Id, MessageFlags.Aborted | MessageFlags.Final));
        Assert.Equal(DecisionState.Collecting, _bench.StateOf(reader));
        _bench.Hear(_bench.Vote(reader.Id, 1, prepare.Timestamp, parts: prepare.Parts));
        Assert.Equal(DecisionState.Aborted, _bench.StateOf(reader));
        Assert.False(_bench.HasLogged(LogRecordKind.Commit, reader.Id));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_final_step_waits_for_the_dependencies_and_is_taken_once_if_they_commit(bool commits)
    {
        var other = new CommitDependency(_bench.NewId(), 2, OwnerBench.OtherEpoch);
        var branch = _bench.Access([0]);
        var taken = 0;
        branch.FinalStep = _ =>
        {
            taken++;
            return Task.FromResult(true);
        };
        var prepare = _bench.Prepare(branch, parts: [_bench.Use(0), _bench.Use(1)]);
        _bench.Hear(prepare, _bench.Vote(branch.Id, 1, prepare.Timestamp, parts: prepare.Parts, dependencies: other));
        Assert.Equal(0, taken);
        var answer = OwnerBench.Answer(branch, other, commits ? MessageFlags.Committed : MessageFlags.Aborted);
        _bench.Hear(answer, answer);
        Assert.Equal(commits ? 1 : 0, taken);
        Assert.Equal(commits ? DecisionState.Committed : DecisionState.Aborted, _bench.StateOf(branch));
    }

    [Fact]
    public void A_decision_that_nobody_acknowledges_is_forgotten_as_soon_as_its_resolution_is_durable()
    {
        var other = new CommitDependency(_bench.NewId(), 2, OwnerBench.OtherEpoch);
        var branch = _bench.Access([0]);
        var prepare = _bench.Prepare(branch, parts: [_bench.Use(0), _bench.Use(1, writes: false)]);
        _bench.Hear(
            prepare,
            _bench.Vote(branch.Id, 1, prepare.Timestamp, logged: false, parts: prepare.Parts, dependencies: other));
        var resolving = _bench.Log.Hold(0, LogRecordKind.Resolved);
        _bench.Hear(OwnerBench.Answer(branch, other, MessageFlags.Committed));
        _bench.Node.Engine.Agents.NoteOldestLive(branch.Id.Node, branch.Id.Sequence + 1);
        _bench.Wait(2 * OwnerBench.Lingering);
        Assert.False(_bench.Decision(branch)!.ForgetQueued);

        // The time of an append, and not until it is looked at again anyway.
        resolving.Release();
        _bench.Wait(300);
        Assert.True(_bench.Decision(branch)!.ForgetQueued);
        _bench.Wait(2 * OwnerBench.Lingering);
        Assert.True(_bench.HasLogged(LogRecordKind.Forget, branch.Id));
    }

    [Fact]
    public void A_dependency_that_this_manager_decides_itself_is_resolved_when_it_has()
    {
        foreach (var commits in new[] { true, false })
        {
            var dependency = _bench.Access([0]);
            var prepare = _bench.Prepare(dependency, parts: [_bench.Use(0), _bench.Use(1)]);
            _bench.Hear(prepare);

            // It arose elsewhere, where nobody answers.
            var (branch, _) = Recorded(account: 3, new CommitDependency(dependency.Id, 2, OwnerBench.OtherEpoch));
            Assert.Equal(DecisionState.Recorded, _bench.StateOf(branch));
            _bench.Hear(commits
                ? _bench.Vote(dependency.Id, 1, prepare.Timestamp, parts: prepare.Parts)
                : _bench.Query(dependency.Id, kind: MessageKind.AbortRequest));
            Assert.Equal(commits ? DecisionState.Committed : DecisionState.Aborted, _bench.StateOf(branch));
        }
    }

    [Fact]
    public void Dependencies_of_votes_that_name_the_same_are_asked_for_once()
    {
        var other = new CommitDependency(_bench.NewId(), 2, OwnerBench.OtherEpoch);
        var (_, said) = Recorded(other, other);
        Assert.Single(said, static message => message.Kind == MessageKind.DependencyQuery);
    }

    [Fact]
    public void A_dependency_here_is_named_with_its_place_until_it_has_committed()
    {
        var (first, timestamp) = Logged();
        var reader = _bench.Access([], reads: [0]);
        var prepare = _bench.Prepare(reader, manager: 1);
        Assert.Equal([new CommitDependency(first.Id, 0, _bench.Owner.Epoch)], _bench.Hear(prepare)[^1].Dependencies!);
        Assert.Equal(1, first.Dependents);
        _bench.Hear(_bench.Outcome(first.Id, MessageFlags.Committed, timestamp));
        Assert.Empty(_bench.Hear(prepare)[^1].Dependencies!);
        _bench.Hear(_bench.Outcome(reader.Id, MessageFlags.Committed | MessageFlags.Final, prepare.Timestamp));
        _bench.Wait(OwnerBench.Lingering);
        Assert.Equal(0, first.Dependents);
    }

    [Fact]
    public void Who_reads_two_states_of_one_transaction_depends_on_it_once()
    {
        var writer = _bench.Access([0, 3]);
        _bench.Hear(_bench.Prepare(writer, manager: 1));
        var reader = _bench.Access([3], reads: [0]);
        Assert.Single(_bench.Hear(_bench.Prepare(reader, manager: 1))[^1].Dependencies!);
        Assert.Equal((1, 0), (writer.Dependents, reader.Dependents));
        Assert.Equal([writer], reader.DependsOn!);
    }

    [Fact]
    public void All_dependencies_here_are_named()
    {
        var (one, other) = (_bench.Access([0]), _bench.Access([3]));
        _bench.Hear(_bench.Prepare(one, manager: 1), _bench.Prepare(other, manager: 1));
        var reader = _bench.Access([], reads: [0, 3]);
        var named = _bench.Hear(_bench.Prepare(reader, manager: 1))[^1].Dependencies!;
        Assert.Equal([one.Id, other.Id], named.Select(static dependency => dependency.Transaction));
    }

    [Fact]
    public void A_successor_names_dependencies_that_its_log_has_no_more_beside_those_that_it_has()
    {
        var (lost, kept) = (_bench.Access([0]), _bench.Access([3]));
        _bench.Hear(_bench.Prepare(lost, manager: 1), _bench.Prepare(kept, manager: 1));
        var reader = _bench.Access([], reads: [0, 3]);
        var prepare = _bench.Prepare(reader, manager: 1);
        _bench.Hear(prepare, _bench.Outcome(lost.Id, MessageFlags.Aborted | MessageFlags.Final));
        _bench.Wait(2 * OwnerBench.Lingering);
        Assert.True(_bench.HasLogged(LogRecordKind.Outcome, lost.Id));
        var before = _bench.Owner.Epoch;
        _bench.TakeOver();
        var vote = Assert.Single(_bench.Hear(new Message
        {
            Kind = MessageKind.VoteQuery,
            Transaction = reader.Id,
            From = _bench.NodeOf(1),
            FromPartition = 1,
            Partition = 0,
            Epoch = before,
            Round = 1,
            ManagerEpoch = OwnerBench.OtherEpoch + 1,
        }));
        Assert.Equal(MessageKind.Vote, vote.Kind);
        Assert.Equal(
            [new CommitDependency(kept.Id, 0, _bench.Owner.Epoch), new CommitDependency(lost.Id, 0, before)],
            vote.Dependencies!);
    }

    [Fact]
    public void A_chain_of_dependencies_is_measured_up_to_a_bound()
    {
        const int bound = 256;
        var chains = new List<int>();
        using var listener = EngineMeter.Listen(_bench.Node, "polyjuice.dependency.chain");
        listener.SetMeasurementEventCallback<int>((_, value, _, _) => chains.Add(value));
        for (var i = 0; i < bound + 3; i++) _bench.Hear(_bench.Prepare(_bench.Access([0]), manager: 1));
        Assert.Equal([.. Enumerable.Range(0, bound), bound, bound, bound], chains);
    }

    [Fact]
    public void An_outcome_is_kept_until_those_that_depend_on_it_have_theirs()
    {
        var (writer, timestamp) = Logged();
        var reader = _bench.Access([], reads: [0]);
        var prepare = _bench.Prepare(reader, manager: 1);
        _bench.Hear(prepare, _bench.Outcome(writer.Id, MessageFlags.Committed | MessageFlags.Final, timestamp));
        _bench.Wait(OwnerBench.Lingering);
        Assert.True(writer.OutcomeLogged);
        Assert.False(writer.IsFinished);
        _bench.Hear(_bench.Outcome(reader.Id, MessageFlags.Committed, prepare.Timestamp));
        _bench.Wait(OwnerBench.Lingering);
        Assert.False(writer.IsFinished);
        _bench.Hear(_bench.Outcome(reader.Id, MessageFlags.Committed | MessageFlags.Final, prepare.Timestamp));
        _bench.Wait(OwnerBench.Lingering);
        Assert.True(reader.IsFinished);
        Assert.True(writer.IsFinished);
    }

    [Fact]
    public void Who_is_ordered_anew_depends_on_what_is_undecided_then_and_on_nothing_else()
    {
        var (writer, timestamp) = Logged();
        var reader = _bench.Access([], reads: [0]);
        _bench.Hear(_bench.Prepare(reader, manager: -1));
        _bench.Hear(_bench.Prepare(reader, round: 2, manager: -1));
        Assert.Equal(1, writer.Dependents);
        _bench.Hear(_bench.Outcome(writer.Id, MessageFlags.Committed | MessageFlags.Final, timestamp));
        _bench.Wait(2 * OwnerBench.Lingering);
        Assert.False(writer.IsFinished);
        _bench.Hear(_bench.Prepare(reader, round: 3, manager: -1));
        Assert.Equal((0, true), (writer.Dependents, writer.IsFinished));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_successor_says_what_its_log_tells(bool committed)
    {
        var (branch, timestamp) = Logged();
        var (undecided, _) = Logged();
        Assert.Equal(branch.Id, Assert.Single(undecided.DependsOn!).Id);
        _bench.Hear(_bench.Decided(branch.Id, committed, timestamp));
        _bench.Wait(2 * OwnerBench.Lingering);
        _bench.TakeOver();
        Assert.Equal(
            committed ? MessageFlags.Committed : MessageFlags.Aborted,
            Assert.Single(_bench.Hear(Query(branch.Id, 2))).Flags);

        // What it finds undecided, it decides on no more than the one before.
        var said = _bench.Hear(Query(undecided.Id, 2));
        if (committed) Assert.Empty(said);
        else Assert.Equal(MessageFlags.Aborted, Assert.Single(said).Flags);
    }

    private (Branch Branch, long Timestamp) Logged()
    {
        var branch = _bench.Access([0]);
        var prepare = _bench.Prepare(branch, manager: 1);
        _bench.Hear(prepare);
        Assert.Equal(BranchState.Logged, branch.State);
        return (branch, prepare.Timestamp);
    }

    private (Branch Branch, List<Message> Said) Recorded(params CommitDependency[] dependencies) =>
        Recorded(account: 0, dependencies);

    private (Branch Branch, List<Message> Said) Recorded(int account, params CommitDependency[] dependencies)
    {
        var branch = _bench.Access([account]);
        var prepare = _bench.Prepare(branch, parts: [_bench.Use(0), _bench.Use(1)]);
        var said = _bench.Hear(
            prepare, _bench.Vote(branch.Id, 1, prepare.Timestamp, parts: prepare.Parts, dependencies: dependencies));
        return (branch, said);
    }

    private Message Query(TransactionId other, int partition) => new()
    {
        Kind = MessageKind.DependencyQuery,
        Transaction = _bench.NewId(),
        Other = other,
        From = _bench.NodeOf(partition),
        FromPartition = partition,
        Partition = 0,
        Epoch = _bench.Owner.Epoch,
    };

    private static Message Answer(
        Branch branch, TransactionId other, int partition, MessageFlags outcome = MessageFlags.Committed) =>
        OwnerBench.Answer(branch, other, partition, outcome);
}
