using System.Globalization;
using Polyjuice.Contracts;
using Polyjuice.Partitions;
using Polyjuice.Storage;

namespace Polyjuice.Tests.Partitions;

/// <summary>States that a log holds, and the partitions that their grains belong to.</summary>
public sealed class MisplacedStateTests
{
    private const int Partitions = 4;
    private static readonly DigitGroups s_groups = new();

    [Fact]
    public void A_grain_without_a_group_is_where_its_own_hash_says() =>
        Assert.Equal(StableHash.Partition("account/2A", 7), GrainGroups.Own.PartitionOf("account/2A", 7));

    [Fact]
    public void A_grain_that_nobody_here_knows_is_where_it_is()
    {
        Assert.Null(s_groups.BelongsElsewhere("unknown/1", 3, Partitions));
        Assert.Equal(StableHash.Partition("unknown/1", Partitions), s_groups.PartitionOf("unknown/1", Partitions));
    }

    [Fact]
    public async Task States_that_are_seeded_are_where_their_groups_belong()
    {
        var logs = new MemoryLogStore(Partitions);
        var states = Enumerable.Range(0, 20)
            .Select(number => new SeededState(KeyOf(number), "text", new byte[] { (byte)number }));

        await SeededLogs.WriteAsync(logs, states, s_groups, CancellationToken.None);

        for (var partition = 0; partition < Partitions; partition++)
        {
            var image = await ImageOf(logs, partition);
            Assert.Equal(5, image.States.Count);
            Assert.Null(MisplacedState.FindIn(image, partition, Partitions, s_groups));
            Assert.Equal(KeyOf(partition).Grain, image.States.Keys.Min(static key => key.Grain));
        }
    }

    [Fact]
    public async Task A_state_elsewhere_is_found_and_refused_with_both_partitions()
    {
        var logs = new MemoryLogStore(Partitions);
        await SeededLogs.WriteAsync(
            logs, [new SeededState(KeyOf(2), "text", new byte[] { 1 })], new OnePlace(3), CancellationToken.None);

        var image = await ImageOf(logs, 3);
        var found = MisplacedState.FindIn(image, 3, Partitions, s_groups);
        var refusal = Assert.Throws<LogUnusableException>(() => MisplacedState.Refuse(image, 3, Partitions, s_groups));

        Assert.Equal(new MisplacedState(KeyOf(2), 3, 2), found);
        Assert.StartsWith(
            "State 'count' of grain digit/02 is in log partition 3,", refusal.Message, StringComparison.Ordinal);
        Assert.Contains(
            "its class Digit declares it belongs to partition 2", refusal.Message, StringComparison.Ordinal);
    }

    private static ParticipantKey KeyOf(int number) => new($"digit/{number:00}", "count", "Digit");

    private static async Task<LogImage> ImageOf(MemoryLogStore logs, int partition)
    {
        var log = logs.Open(partition);
        return (await Checkpointer.ReadAsync(log, await log.GetEndAsync(default), default))!.Image;
    }

    private sealed class DigitGroups : GrainGroups
    {
        public override int? FindPartition(string grain, int partitions) =>
            grain.StartsWith("digit/", StringComparison.Ordinal)
                ? int.Parse(grain["digit/".Length..], CultureInfo.InvariantCulture) % partitions
                : null;
    }

    private sealed class OnePlace(int partition) : GrainGroups
    {
        public override int? FindPartition(string grain, int partitions) => partition;
    }
}
