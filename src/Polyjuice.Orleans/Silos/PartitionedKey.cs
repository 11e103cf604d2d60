namespace Polyjuice.Orleans.Silos;

/// <summary>Keys of this package's own grains that are to be in a log partition.</summary>
internal static class PartitionedKey
{
    // With more partitions than that, some are in another one, and cost their transactions a log partition more.
    private const int TriesMax = 4_096;

    /// <summary>A key that begins with a name and is in a partition.</summary>
    /// <param name="type">The grain's type.</param>
    /// <param name="name">The name.</param>
    /// <param name="partition">The partition.</param>
    /// <param name="partitions">How many there are.</param>
    /// <returns>The same each time; no other name's or partition's.</returns>
    public static string Of(string type, string name, int partition, int partitions)
    {
        for (var last = 0; last < TriesMax; last++)
        {
            var key = $"{name}-{last}";
            if (StableHash.Partition($"{type}/{key}", partitions) == partition) return key;
        }

        return $"{name}-{TriesMax + partition}";
    }
}
