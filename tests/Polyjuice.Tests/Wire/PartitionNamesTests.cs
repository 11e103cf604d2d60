using Polyjuice.Contracts;
using Polyjuice.Partitions;
using Polyjuice.Waits;
using Polyjuice.Wire;

namespace Polyjuice.Tests.Wire;

public sealed class PartitionNamesTests
{
    private static readonly RowKey Row = new("Account/7", "balance");
    private readonly PartitionNames _names = new();

    [Fact]
    public void A_row_has_one_number_and_no_other_row_has_it()
    {
        var number = _names.NumberOf(Row);
        Assert.True(PartitionNames.IsRow(number));
        Assert.Equal(number, _names.NumberOf(new RowKey("Account/7", "balance")));
        Assert.NotEqual(number, _names.NumberOf(new RowKey("Account/7", "savings")));
        Assert.NotEqual(number, _names.NumberOf(new RowKey("Account/8", "balance")));
        Assert.True(_names.TryGetKey(number, out var key));
        Assert.Equal(Row, key);
        Assert.Equal(("row Account/7.balance", "log partition 4"), (_names.Describe(number), _names.Describe(4)));
    }

    [Fact]
    public void A_row_goes_by_its_name_from_node_to_node()
    {
        var other = new PartitionNames();
        other.NumberOf(new RowKey("Account/1", "balance"));
        ParticipantUse[] parts =
        [
            new(_names.NumberOf(Row), 2, new NodeId(3), 4, Writes: true), new(5, 6, new NodeId(7), 8, Writes: false)
        ];
        var message = new Message
        {
            Kind = MessageKind.Prepare, Partition = _names.NumberOf(Row), FromPartition = -1,
            Manager = _names.NumberOf(Row), Parts = parts,
            Dependencies = [new(new TransactionId(new NodeId(1), 2), _names.NumberOf(Row), 9)],
        };
        var writer = new ByteWriter(_names);
        message.Write(writer);
        var reader = new ByteReader(writer.Written, other);
        var read = Message.Read(ref reader, default);
        Assert.True(reader.IsEmpty);
        var there = other.NumberOf(Row);
        Assert.NotEqual(there, message.Partition);
        Assert.Equal(
            (there, -1, there, there, 5, there),
            (read.Partition, read.FromPartition, read.Manager, read.Parts![0].Partition, read.Parts[1].Partition,
                read.Dependencies![0].Partition));
    }

    [Fact]
    public void A_log_is_written_as_ever()
    {
        var named = new ByteWriter(_names);
        var plain = new ByteWriter();
        foreach (var partition in new[] { -1, 0, 7, 65_535 })
        {
            named.Partition(partition);
            plain.Int(partition);
        }

        Assert.Equal(plain.Written.ToArray(), named.Written.ToArray());
    }

    [Fact]
    public void A_row_where_only_logs_can_be_is_refused()
    {
        Assert.Throws<CodingException>(() => new ByteWriter().Partition(_names.NumberOf(Row)));
        Assert.Throws<CodingException>(() => new ByteWriter(new PartitionNames()).Partition(_names.NumberOf(Row)));
        var writer = new ByteWriter(_names);
        writer.Partition(_names.NumberOf(Row));
        Assert.Throws<CodingException>(() => new ByteReader(writer.Written).Partition());
    }
}
