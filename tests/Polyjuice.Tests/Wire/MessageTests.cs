using Polyjuice.Contracts;
using Polyjuice.Partitions;
using Polyjuice.Wire;

namespace Polyjuice.Tests.Wire;

public sealed class MessageTests
{
    private static readonly TransactionId One = new(new NodeId(3), 41);
    private static readonly TransactionId Two = new(new NodeId(4), 42);

    [Fact]
    public void Every_field_is_read_back()
    {
        ParticipantUse[] parts =
        [
            new(1, 2, new NodeId(3), 4, Writes: true),
            new(5, 6, new NodeId(7), 8, Writes: false, Depends: true, AwaitsOrder: true)
        ];
        CommitDependency[] dependencies = [new(Two, 9, 10)];
        var message = new Message
        {
            Kind = MessageKind.Prepare, Flags = MessageFlags.Logged | MessageFlags.MayRaise, Transaction = One,
            Partition = 1, FromPartition = -1, Epoch = 2, Round = 3, Timestamp = long.MaxValue, Manager = 4,
            ManagerEpoch = 5, Count = 6, Other = Two, Parts = parts, Dependencies = dependencies,
        };
        var writer = new ByteWriter();
        message.Write(writer);
        var reader = new ByteReader(writer.Written);
        var read = Message.Read(ref reader, new NodeId(8));
        Assert.True(reader.IsEmpty);
        Assert.Equal(parts, read.Parts);
        Assert.Equal(dependencies, read.Dependencies);
        Assert.Equal(new NodeId(8), read.From);
        Assert.Equal(
            message with { Parts = null, Dependencies = null, From = new NodeId(8) },
            read with { Parts = null, Dependencies = null });
        Assert.True(read.Has(MessageFlags.MayRaise));
        Assert.False(read.Has(MessageFlags.Final));
    }

    [Fact]
    public void A_message_that_was_cut_off_is_refused()
    {
        var writer = new ByteWriter();
        new Message { Kind = MessageKind.Vote, Transaction = One, Dependencies = [new(Two, 1, 2)] }.Write(writer);
        var bytes = writer.Written.ToArray();
        for (var length = 0; length < bytes.Length; length++)
        {
            Assert.Throws<CodingException>(() =>
            {
                var reader = new ByteReader(bytes.AsSpan(0, length));
                Message.Read(ref reader, default);
            });
        }
    }
}
