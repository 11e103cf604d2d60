using Polyjuice.Contracts;
using Polyjuice.Partitions;
using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Storage;
using Polyjuice.Storage;
using Polyjuice.Wire;

namespace Polyjuice.Simulation.Tests.Clusters;

public class ProofMonitorTests
{
    private static readonly TransactionId Id = new(new NodeId(1), 7);

    private readonly ProofMonitor _monitor = new();

    private static RecoveredPrepare Staged => new()
    {
        IsStaged = true, Id = Id, Type = "T", Round = 1, Timestamp = 5, Manager = 1, ManagerEpoch = 1,
        Parts = [new(1, 1, new NodeId(1), 1, Writes: true), new(2, 1, new NodeId(2), 1, Writes: true)], Writes = [],
        Dependencies = [],
    };

    [Fact]
    public void A_vote_that_names_undecided_dependencies_follows_the_prepare_record_of_its_round()
    {
        var vote = Of(MessageKind.Vote) with
        {
            Round = 2, Dependencies = [new CommitDependency(new(new NodeId(2), 3), 1, 5)]
        };
        Refused("vote-without-record", vote);
        _monitor.Prepared(1, Id, 1);
        Refused("vote-without-record", vote);
        _monitor.Prepared(1, Id, 2);
        _monitor.Said(vote);
    }

    [Fact]
    public void A_row_may_vote_without_a_record_if_it_asks_for_the_abort_in_the_same_breath()
    {
        var row = PartitionNames.FirstRow;
        var vote = Of(MessageKind.Vote) with
        {
            FromPartition = row, Dependencies = [new CommitDependency(new(new NodeId(2), 3), row, 5)]
        };
        var request = Of(MessageKind.AbortRequest) with { FromPartition = row };
        _monitor.Said(vote, [request]);
        Assert.Throws<SimulationFailedException>(
            () => _monitor.Said(vote, [request with { Transaction = new(new NodeId(1), 8) }]));
        Assert.Throws<SimulationFailedException>(
            () => _monitor.Said(vote with { FromPartition = 1 }, [request with { FromPartition = 1 }]));
    }

    [Fact]
    public void A_reader_without_dependencies_votes_without_a_record() =>
        _monitor.Said(Of(MessageKind.Vote) with { Dependencies = [] });

    [Fact]
    public void The_abort_of_a_recorded_transaction_follows_its_resolution()
    {
        var abort = Of(MessageKind.Outcome) with { Flags = MessageFlags.Aborted | MessageFlags.Final };
        _monitor.Said(abort);
        _monitor.Written(1, new TappedRecord(LogRecordKind.Commit, Id, null));
        Refused("abort-without-record", abort);
        Refused("abort-without-record", abort with { Kind = MessageKind.AgentOutcome });
        _monitor.Said(abort with { Flags = abort.Flags | MessageFlags.Unknown });
        _monitor.Written(1, new TappedRecord(LogRecordKind.Resolved, Id, 0));
        _monitor.Said(abort);
    }

    [Fact]
    public void What_all_have_prepared_aborts_only_if_the_managers_log_says_so()
    {
        var abort = Of(MessageKind.AgentOutcome) with { Flags = MessageFlags.Aborted | MessageFlags.Final };
        _monitor.Prepared(1, Staged);
        _monitor.Said(abort);
        _monitor.Prepared(2, Id, 2);
        _monitor.Said(abort);
        _monitor.Prepared(2, Id, 1);
        Refused("abort-of-prepared", abort);
        Refused("abort-of-prepared", abort with { Kind = MessageKind.Outcome });
        _monitor.Written(1, new TappedRecord(LogRecordKind.Outcome, Id, 0));
        _monitor.Said(abort);
    }

    [Fact]
    public void What_is_staged_commits_when_all_have_prepared_it_and_is_final_when_that_is_recorded()
    {
        var commit = Of(MessageKind.AgentOutcome) with { Flags = MessageFlags.Committed };
        var final = Of(MessageKind.Outcome) with { Flags = MessageFlags.Committed | MessageFlags.Final };
        _monitor.Prepared(1, Staged);
        Refused("commit-without-prepares", commit);
        _monitor.Prepared(2, Id, 1);
        _monitor.Said(commit);
        Refused("final-without-record", final);
        _monitor.Written(1, new TappedRecord(LogRecordKind.Commit, Id, 0));
        _monitor.Said(final);
    }

    [Fact]
    public void An_acknowledgement_follows_the_outcome_in_the_same_log()
    {
        var acknowledgement = Of(MessageKind.Acknowledge);
        _monitor.Written(2, new TappedRecord(LogRecordKind.Outcome, Id, 1));
        _monitor.Written(1, new TappedRecord(LogRecordKind.Outcome, Id, 0));
        Refused("acknowledgement-without-record", acknowledgement);
        _monitor.Written(1, new TappedRecord(LogRecordKind.Outcome, Id, 1));
        _monitor.Said(acknowledgement);
    }

    private static Message Of(MessageKind kind) =>
        new() { Kind = kind, Transaction = Id, FromPartition = 1, Partition = 0 };

    private void Refused(string kind, Message message) =>
        Assert.Equal(kind, Assert.Throws<SimulationFailedException>(() => _monitor.Said(message)).Kind);
}
