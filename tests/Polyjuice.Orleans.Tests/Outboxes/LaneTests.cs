using Orleans.Runtime;
using Polyjuice.Orleans.Outboxes;
using Polyjuice.Orleans.Silos;

namespace Polyjuice.Orleans.Tests.Outboxes;

public sealed class LaneTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(6)]
    [InlineData(64)]
    public void A_grain_s_lane_is_one_of_those_of_its_log_partition(int partitions)
    {
        for (var key = 0; key < 50; key++)
        {
            var grain = GrainId.Create("shipper", $"{key}");
            var partition = Polyjuice.Contracts.StableHash.Partition(grain.ToString(), partitions);
            var lanes = Enumerable.Range(0, LaneNames.LanesPerPartition)
                .Select(lane => LaneNames.KeyOf(lane, partition, partitions)).ToArray();

            var own = LaneNames.KeyOf(grain, partition, partitions);

            Assert.Contains(own, lanes);
            Assert.Equal(lanes.Length, lanes.Distinct().Count());
            Assert.Equal(
                partition, Polyjuice.Contracts.StableHash.Partition(LaneNames.StateOf(own).Grain, partitions));
        }
    }

    [Fact]
    public void Grains_are_spread_over_the_lanes() => Assert.Equal(
        LaneNames.LanesPerPartition,
        Enumerable.Range(0, 2_000)
            .Select(key => LaneNames.KeyOf(GrainId.Create("shipper", $"{key}"), partition: 0, partitions: 1)).Distinct()
            .Count());

    // Where there are more partitions than keys are tried, some other partition will do.
    [Fact]
    public void Keys_of_all_partitions_differ_however_many_there_are()
    {
        const int Partitions = 65_536;
        int[] some = [0, 1, 4_095, 4_096, 65_535];
        var keys = some.Select(partition => PartitionedKey.Of("type", "name", partition, Partitions)).ToArray();
        Assert.Equal(keys.Length, keys.Distinct().Count());
    }

    [Fact]
    public void A_lane_has_room_for_so_many_bytes_and_for_one_message_in_any_case()
    {
        var entries = new OutboxEntries();
        Assert.False(entries.IsFullFor(Entry(1, bytes: 1_000), bytesMax: 100));
        entries.Entries.Add(Entry(1, bytes: 100));
        var (first, second) = (entries.Entries[0].Bytes, Entry(2, bytes: 50).Bytes);
        Assert.False(entries.IsFullFor(Entry(2, bytes: 50), first + second));
        Assert.True(entries.IsFullFor(Entry(2, bytes: 50), first + second - 1));
    }

    [Fact]
    public void What_is_taken_out_is_there_no_more()
    {
        var entries = new OutboxEntries { Entries = [Entry(1, 1), Entry(2, 1)] };
        Assert.Equal(2, entries.Take(2)?.Number);
        Assert.Null(entries.Take(2));
        Assert.Equal(1, Assert.Single(entries.Entries).Number);
    }

    private static OutboxEntry Entry(long number, int bytes) =>
        new(number, GrainId.Create("shipper", "1"), "mail", new byte[bytes], 0);
}
