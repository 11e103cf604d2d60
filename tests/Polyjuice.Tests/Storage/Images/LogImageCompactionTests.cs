using Polyjuice.Agents;
using Polyjuice.Contracts;
using Polyjuice.Partitions;
using Polyjuice.Storage;
using Polyjuice.Wire;

namespace Polyjuice.Tests.Storage.Images;

/// <summary>What a checkpoint leaves out, and what it must keep.</summary>
public sealed class LogImageCompactionTests
{
    private static readonly NodeId Agent = new(3);
    private static readonly ParticipantKey X = new("Account/x", "balance", "Account");
    private static readonly ParticipantKey Y = new("Account/y", "balance", "Account");
    private readonly LogImage _image = new();

    [Fact]
    public void Committed_writes_become_states_and_their_prepares_are_gone()
    {
        Log(Prepare(1, X, default), Commit(1), Prepare(2, X, Id(1)), Commit(2));
        _image.Compact();
        Assert.Empty(_image.Prepares);
        Assert.Equal(new VersionId(Id(2), 1), _image.States[X].Version);
        Assert.Equal(102, _image.States[X].Timestamp);
    }

    [Fact]
    public void A_committed_write_on_top_of_an_undecided_one_stays_in_its_place()
    {
        Log(Prepare(1, X, default), Prepare(2, X, Id(1)), Outcome(2, true), Prepare(3, Y, default), Commit(3));
        _image.Compact();
        Assert.Equal([Id(1), Id(2)], _image.Prepares.Select(p => p.Id));
        Assert.True(_image.OutcomeOf(Id(2)));
        Assert.Equal([Y], _image.States.Keys);
        Log(Outcome(1, true));
        _image.Compact();
        Assert.Equal(new VersionId(Id(2), 1), _image.States[X].Version);
        Assert.Empty(_image.Prepares);
    }

    [Fact]
    public void What_was_built_on_an_aborted_write_is_aborted_and_does_not_stand_in_the_way_of_what_follows()
    {
        Log(Prepare(1, X, default), Prepare(2, X, Id(1)), Outcome(1, false), Prepare(3, X, default), Commit(3));
        _image.Compact();
        Assert.False(_image.OutcomeOf(Id(2)));
        Assert.Equal(new VersionId(Id(3), 1), _image.States[X].Version);
    }

    [Fact]
    public void A_later_round_takes_the_place_and_timestamp_of_the_earlier_one()
    {
        Log(Prepare(1, X, default), Prepare(1, X, default, round: 2), Commit(1));
        _image.Compact();
        Assert.Equal(201, _image.States[X].Timestamp);
    }

    [Fact]
    public void An_outcome_is_kept_until_the_agent_is_done_with_it()
    {
        Log(Prepare(1, X, default), Commit(1), Outcome(2, false));
        _image.Compact();
        Assert.True(_image.OutcomeOf(Id(1)));
        Assert.False(_image.OutcomeOf(Id(2)));
        Log(OldestLive(2));
        _image.Compact();
        Assert.Null(_image.OutcomeOf(Id(1)));
        Assert.False(_image.OutcomeOf(Id(2)));
        Log(OldestLive(3));
        _image.Compact();
        Assert.Null(_image.OutcomeOf(Id(2)));
        Assert.Empty(_image.Commits);
    }

    [Fact]
    public void An_outcome_is_kept_while_an_undecided_transaction_depends_on_it()
    {
        Log(Prepare(1, X, default), Prepare(2, X, Id(1), dependsOn: 1), Outcome(1, true), OldestLive(10));
        _image.Compact();
        Assert.True(_image.OutcomeOf(Id(1)));
        Log(Outcome(2, true));
        _image.Compact();
        Assert.Null(_image.OutcomeOf(Id(1)));
        Assert.Null(_image.OutcomeOf(Id(2)));
    }

    [Fact]
    public void A_decision_that_others_must_acknowledge_is_kept_until_it_may_be_forgotten_even_if_the_agent_is_done()
    {
        Log(Prepare(1, X, default), Commit(1, mustAcknowledge: [4]), OldestLive(long.MaxValue));
        _image.Compact();
        Assert.True(_image.OutcomeOf(Id(1)));
        Assert.Equal([4], _image.Commits[Id(1)].MustAcknowledge);
        Log(batch => LogRecords.WriteForget(batch, Id(1)));
        _image.Compact();
        Assert.Empty(_image.Commits);
        Assert.Empty(_image.Forgotten);
    }

    [Fact]
    public void A_decision_with_unresolved_dependencies_is_no_decision_yet()
    {
        Log(Prepare(1, X, default), Commit(1, dependsOn: 7), OldestLive(long.MaxValue));
        _image.Compact();
        Assert.Null(_image.OutcomeOf(Id(1)));
        Assert.Single(_image.Commits);
        Assert.Empty(_image.States);
        Log(batch => LogRecords.WriteResolved(batch, Id(1), committed: true));
        _image.Compact();
        Assert.Single(_image.States);
        Assert.Empty(_image.Commits);
    }

    [Fact]
    public void An_abort_that_was_inferred_before_its_resolution_was_logged_leaves_no_more_behind_than_another()
    {
        var inOne = new LogImage();
        Action<ByteWriter>[] before =
        [
            Prepare(1, X, default), Prepare(2, X, Id(1), dependsOn: 1), Commit(2, dependsOn: 1), Outcome(1, false)
        ];
        Action<ByteWriter>[] after = [batch => LogRecords.WriteResolved(batch, Id(2), committed: false)];
        Log(before);
        _image.Compact();
        Assert.False(_image.OutcomeOf(Id(2)));
        Log(after);
        var whole = new ByteWriter();
        foreach (var record in before.Concat(after)) record(whole);
        inOne.Add(whole.Written);
        Assert.Equal(Bytes(inOne), Bytes(_image));
        Assert.False(_image.OutcomeOf(Id(2)));
    }

    [Fact]
    public void What_is_written_down_is_read_back_the_same_byte_for_byte()
    {
        Log(
            Prepare(1, X, default), Prepare(2, X, Id(1), dependsOn: 1), Prepare(3, Y, default),
            Commit(3, mustAcknowledge: [2, 5]), Commit(4, dependsOn: 9), Outcome(5, false), OldestLive(2),
            batch => LogRecords.WriteCeiling(batch, 900));
        var read = new LogImage();
        foreach (var piece in _image.Write()) read.Add(piece.Span);
        Assert.Equal((900, 103), (read.Ceiling, read.MaxTimestamp));
        Assert.Equal(Bytes(_image), Bytes(read));
        Assert.Equal([Id(1), Id(2)], read.Prepares.Select(p => p.Id));
    }

    [Fact]
    public void A_committed_write_that_does_not_fit_is_refused()
    {
        Log(Prepare(1, X, Id(9)), Commit(1));
        Assert.Throws<InvariantException>(_image.Compact);
    }

    private static TransactionId Id(long sequence) => new(Agent, sequence);

    private static Action<ByteWriter> Prepare(
        long id, ParticipantKey key, TransactionId basedOn, int round = 1, long dependsOn = 0) =>
        batch => LogRecords.WritePrepare(batch, new RecoveredPrepare
        {
            Id = Id(id), Type = "T", Round = round, Timestamp = (100 * round) + id, Manager = 0, ManagerEpoch = 1,
            Parts = [],
            Writes =
            [
                new RecoveredVersion(
                    key,
                    new VersionId(Id(id), 1),
                    basedOn == default ? default : new VersionId(basedOn, 1),
                    "json",
                    [1, 2, 3])
            ],
            Dependencies = dependsOn == 0 ? [] : [(Id(dependsOn), 1)],
        });

    private static Action<ByteWriter> Commit(long id, List<int>? mustAcknowledge = null, long dependsOn = 0) => batch =>
        LogRecords.WriteCommit(
            batch,
            new RecoveredCommit(
                Id(id),
                1,
                100 + id,
                [],
                mustAcknowledge ?? [],
                dependsOn == 0 ? [] : [new CommitDependency(Id(dependsOn), 1, 1)]));

    private static Action<ByteWriter> Outcome(long id, bool committed) =>
        batch => LogRecords.WriteOutcome(batch, Id(id), committed, manager: 2);

    private static Action<ByteWriter> OldestLive(long sequence) =>
        batch => LogRecords.WriteOldestLive(batch, [new(Agent, sequence)]);

    private static byte[] Bytes(LogImage image) => [.. image.Write().SelectMany(piece => piece.ToArray())];

    private void Log(params Action<ByteWriter>[] records)
    {
        var batch = new ByteWriter();
        foreach (var record in records) record(batch);
        _image.Add(batch.Written);
    }
}
