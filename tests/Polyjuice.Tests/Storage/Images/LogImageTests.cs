using Polyjuice.Contracts;
using Polyjuice.Partitions;
using Polyjuice.Storage;
using Polyjuice.Tests.Agents;
using Polyjuice.Wire;

namespace Polyjuice.Tests.Storage.Images;

public sealed class LogImageTests
{
    private static readonly TransactionId One = new(new NodeId(3), 41);
    private static readonly TransactionId Two = new(new NodeId(4), 42);
    private readonly ByteWriter _batch = new();

    [Fact]
    public void Outcomes_resolutions_and_what_may_be_forgotten_are_read_back()
    {
        LogRecords.WriteFence(_batch, new NodeId(5));
        LogRecords.WriteCeiling(_batch, 700);
        LogRecords.WriteCeiling(_batch, 600);
        LogRecords.WriteOutcome(_batch, One, committed: false, manager: 2);
        LogRecords.WriteResolved(_batch, Two, committed: true);
        LogRecords.WriteForget(_batch, Two);
        var image = Image();
        Assert.Equal(700, image.Ceiling);
        Assert.False(image.OutcomeOf(One, ignoreDependencies: false));
        Assert.True(image.OutcomeOf(Two, ignoreDependencies: false));
        Assert.Equal([Two], image.Forgotten);
    }

    [Fact]
    public void A_commit_record_is_read_back_and_decides_only_without_dependencies()
    {
        ParticipantUse[] parts = [new(1, 2, new NodeId(3), 4, Writes: true)];
        var decision = new Decision(One, parts, 0)
        {
            Round = 3, MustAcknowledge = [6, 7], Unresolved = [new CommitDependency(Two, 1, 2)]
        };
        BranchRecords.WriteCommit(_batch, decision, 800);
        BranchRecords.WriteCommit(_batch, new Decision(Two, [], 0), 900);
        var image = Image();
        var commit = image.Commits[One];
        Assert.Equal((One, 3, 800L), (commit.Id, commit.Round, commit.Timestamp));
        Assert.Equal(parts, commit.Parts);
        Assert.Equal([6, 7], commit.MustAcknowledge);
        Assert.Equal([new CommitDependency(Two, 1, 2)], commit.Dependencies);
        Assert.Null(image.OutcomeOf(One, ignoreDependencies: false));
        Assert.True(image.OutcomeOf(One, ignoreDependencies: true));
        Assert.True(image.OutcomeOf(Two, ignoreDependencies: false));
    }

    [Fact]
    public void The_prepare_that_an_engine_logged_is_read_back_with_what_it_wrote()
    {
        var rig = new EngineRig();
        TransactionId id = default;
        rig.Commit("Move", async frame =>
        {
            id = frame.TransactionId;
            await rig.Add(frame, 2, 11, 7);
        });
        var image = new LogImage();
        foreach (var (_, bytes) in rig.Cluster.Logs.Batches(0)) image.Add(bytes);
        var prepare = Assert.Single(image.Prepares);
        Assert.Equal((id, "Move"), (prepare.Id, prepare.Type));
        Assert.Equal(prepare.Timestamp, image.MaxTimestamp);
        var write = Assert.Single(prepare.Writes);
        Assert.Equal((rig.Cluster.Accounts.KeyOf(2), "account"), (write.Key, write.Codec));
        var account = rig.Cluster.Codec.Decode(write.Encoded);
        Assert.Equal(111, account.Balance);
        Assert.Equal([7], account.Tokens);
    }

    [Fact]
    public void A_record_of_an_unknown_kind_is_refused()
    {
        LogRecords.WriteForget(_batch, One);
        var start = _batch.BeginLength();
        _batch.Byte(200);
        _batch.EndLength(start);
        Assert.Contains("200", Assert.Throws<CodingException>(() => Image()).Message, StringComparison.Ordinal);
    }

    private LogImage Image()
    {
        var image = new LogImage();
        image.Add(_batch.Written);
        return image;
    }
}
