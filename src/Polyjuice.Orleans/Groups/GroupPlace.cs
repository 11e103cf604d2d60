using System.Globalization;

namespace Polyjuice.Orleans.Groups;

/// <summary>
/// In which log partition a group is: part of the stored format. There may be few groups, and large ones, and a hash would
/// put three of four onto one of two silos. So those with consecutive numbers are spread evenly, whatever the number of
/// partitions is: multiples of the golden ratio (Knuth, The Art of Computer Programming 3, §6.4). All others are hashed.
/// </summary>
internal static class GroupPlace
{
    // 2^64 divided by the golden ratio.
    private const ulong Step = 0x9E37_79B9_7F4A_7C15;

    /// <summary>The partition of a group.</summary>
    /// <param name="name">The group's name. Groups of different names begin at different places.</param>
    /// <param name="value">Which of the name's groups.</param>
    /// <param name="partitions">How many there are; at least 1.</param>
    public static int PartitionOf(string name, string value, int partitions)
    {
        if (!IsNumber(value, out var number)) return StableHash.Partition($"group:{name}/{value}", partitions);
        var place = unchecked(StableHash.Of($"group:{name}") + ((ulong)number * Step));
        return (int)Math.BigMul(place, (ulong)partitions, out _);
    }

    // As integer keys are written: "007" and "+7" are texts.
    private static bool IsNumber(string value, out long number) =>
        long.TryParse(value, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out number)
        && number.ToString(CultureInfo.InvariantCulture) == value;
}
