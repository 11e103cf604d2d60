namespace Polyjuice.Contracts;

/// <summary>
/// A hash that never changes between processes, platforms or versions: FNV-1a over UTF-16 code units, low byte first,
/// finished with the avalanche of MurmurHash3. It decides which log partition a grain belongs to, so it is part of the
/// storage format.
/// </summary>
internal static class StableHash
{
    /// <summary>Hashes text to 64 bits.</summary>
    public static ulong Of(ReadOnlySpan<char> text)
    {
        var hash = 14695981039346656037UL;
        foreach (var unit in text)
        {
            hash = (hash ^ (byte)unit) * 1099511628211UL;
            hash = (hash ^ (byte)(unit >> 8)) * 1099511628211UL;
        }

        hash = (hash ^ (hash >> 33)) * 0xff51afd7ed558ccdUL;
        hash = (hash ^ (hash >> 33)) * 0xc4ceb9fe1a85ec53UL;
        return hash ^ (hash >> 33);
    }

    /// <summary>
    /// The log partition of a group: its hash modulo the number of partitions, which is fixed at creation. Of grains,
    /// <see cref="GrainGroups"/> knows the group.
    /// </summary>
    /// <param name="grain">
    /// The group's text: a grain's identity ("AccountGrain/42"), if the grain declares none.
    /// </param>
    /// <param name="partitions">At least 1.</param>
    public static int Partition(ReadOnlySpan<char> grain, int partitions) => (int)(Of(grain) % (ulong)partitions);
}
