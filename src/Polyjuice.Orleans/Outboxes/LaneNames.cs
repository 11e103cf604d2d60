using System.Globalization;
using Orleans.Runtime;
using Polyjuice.Contracts;
using Polyjuice.Orleans.Silos;

namespace Polyjuice.Orleans.Outboxes;

/// <summary>
/// Which lanes there are, and which is whose: known to every silo, so that one that takes a partition over finds its
/// messages.
/// </summary>
internal static class LaneNames
{
    /// <summary>Lanes of each log partition.</summary>
    public const int LanesPerPartition = 64;

    /// <summary>The key of the lane of a grain's messages: in the grain's log partition.</summary>
    /// <param name="grain">The grain.</param>
    /// <param name="partition">Its log partition.</param>
    /// <param name="partitions">How many there are.</param>
    public static string KeyOf(GrainId grain, int partition, int partitions)
    {
        var hash = StableHash.Of(grain.ToString());
        return KeyOf((int)(hash / (ulong)partitions % LanesPerPartition), partition, partitions);
    }

    /// <summary>The key of a lane.</summary>
    /// <param name="lane">Its number in its partition.</param>
    /// <param name="partition">The partition.</param>
    /// <param name="partitions">How many there are.</param>
    public static string KeyOf(int lane, int partition, int partitions)
    {
        var name = string.Create(CultureInfo.InvariantCulture, $"{partition}-{lane}");
        return PartitionedKey.Of(OutboxLane.Type, name, partition, partitions);
    }

    /// <summary>The keys of all lanes of a partition.</summary>
    /// <param name="partition">The partition.</param>
    /// <param name="partitions">How many there are.</param>
    public static IEnumerable<string> KeysOf(int partition, int partitions) =>
        Enumerable.Range(0, LanesPerPartition).Select(lane => KeyOf(lane, partition, partitions));

    /// <summary>The state of a lane's messages.</summary>
    /// <param name="key">The lane's key.</param>
    public static ParticipantKey StateOf(string key) =>
        new(GrainId.Create(OutboxLane.Type, key).ToString(), OutboxLane.Pending, nameof(OutboxLane));
}
