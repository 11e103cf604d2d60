using Polyjuice.Contracts;
using Polyjuice.Storage;
using Polyjuice.Wire;

namespace Polyjuice.Tests.Storage.Rows;

public sealed class RowFormatTests
{
    [Theory]
    [InlineData(1, 0)]
    [InlineData(4711, 815)]
    [InlineData((1L << 60) - 1, (1L << 60) - 1)]
    public void A_transaction_is_a_guid_of_version_8_and_back(long node, long sequence)
    {
        var id = new TransactionId(new NodeId(node), sequence);
        foreach (var tag in new[] { RowTag.Transaction, RowTag.Outcome })
        {
            var guid = RowFormat.Pack(tag, id);
            Assert.Equal((8, 2), (guid.Version, guid.Variant >> 2));
            Assert.True(RowFormat.TryUnpack(guid, out var read, out _, out _));
            Assert.Equal((tag, id), (read, RowFormat.IdOf(guid)));
        }
    }

    [Fact]
    public void The_head_keeps_position_and_timestamp_to_the_last_bit()
    {
        foreach (var (position, timestamp) in new[]
        {
            (0L, 0L), (1_750_000_000_000_000L, (1_750_000_000_000_123L << 8) + 77), ((1L << 56) - 1, long.MaxValue)
        })
        {
            Assert.True(
                RowFormat.TryUnpack(RowFormat.PackHead(position, timestamp), out var tag, out var high, out var low));
            Assert.Equal(
                (RowTag.Head, position, timestamp),
                (tag, RowFormat.UnpackHead(high, low).Position, RowFormat.UnpackHead(high, low).Timestamp));
        }
    }

    [Fact]
    public void A_number_that_does_not_fit_is_refused() =>
        Assert.Throws<InvariantException>(
            () => RowFormat.Pack(RowTag.Transaction, new TransactionId(new NodeId(1L << 60), 1)));

    [Fact]
    public void Another_engines_guids_are_transactions_of_agents_that_are_gone_and_all_different()
    {
        Guid[] guids =
        [
            new("7f3d2c1b-5a69-4788-96a5-b4c3d2e1f001"), new("7f3d2c1b-5a69-4788-96a5-b4c3d2e1f002"),
            new("ff3d2c1b-5a69-4788-96a5-b4c3d2e1f001"), new("7f3d2c1b-5a69-4789-b6a5-b4c3d2e1f001")
        ];
        Assert.All(guids, guid => Assert.False(RowFormat.TryUnpack(guid, out _, out _, out _)));
        Assert.All(
            guids, guid => Assert.True(RowFormat.IdOf(guid).Node.IsForeign && RowFormat.IdOf(guid).Sequence >= 0));
        Assert.Equal(guids.Length, guids.Select(RowFormat.IdOf).Distinct().Count());
    }

    [Fact]
    public void A_timestamp_becomes_the_next_tick_and_never_falls()
    {
        var start = 1_750_000_000_000_000L << 8;
        for (var timestamp = start; timestamp < start + 1_000; timestamp++)
        {
            var time = RowFormat.TimeOf(timestamp);
            Assert.Equal(DateTimeKind.Utc, time.Kind);
            Assert.InRange(RowFormat.TimestampOf(time) - timestamp, 0, 26);
            Assert.Equal(time, RowFormat.TimeOf(RowFormat.TimestampOf(time)));
        }

        Assert.Equal(DateTime.UnixEpoch.AddMicroseconds(5), RowFormat.TimeOf(5 << 8));
        Assert.Equal(0, RowFormat.TimestampOf(default));
        Assert.True(RowFormat.TimestampOf(DateTime.MaxValue) > 0);
    }

    [Theory]
    [InlineData(true, "polyjuice/1 ff ")]
    [InlineData(false, "polyjuice/2 ff ")]
    public void A_record_goes_into_a_name_and_back(bool namesParts, string begin)
    {
        var record = new ByteWriter();
        record.String("anything");
        var name = RowFormat.Annotate(255, record, namesParts);
        Assert.StartsWith(begin, name, StringComparison.Ordinal);
        Assert.True(RowFormat.TryReadAnnotation(name, out var position, out var bytes));
        Assert.Equal(255, position);
        Assert.Equal(record.Written.ToArray(), bytes);
    }

    [Fact]
    public void A_participants_name_is_no_record_and_a_newer_versions_record_is_refused()
    {
        Assert.False(RowFormat.TryReadAnnotation("balance", out _, out _));
        Assert.Throws<LogVersionException>(() => RowFormat.TryReadAnnotation("polyjuice/3 ff AA==", out _, out _));
        Assert.Throws<LogVersionException>(() => RowFormat.TryReadAnnotation("polyjuice/0 ff AA==", out _, out _));
        Assert.Throws<CodingException>(() => RowFormat.TryReadAnnotation("polyjuice/1 AA==", out _, out _));
    }
}
