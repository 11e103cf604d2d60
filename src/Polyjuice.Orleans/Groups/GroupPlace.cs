using System.Globalization;

namespace Polyjuice.Orleans.Groups;

/// <summary>
/// In which log partition a group is: part of the stored format. There may be few groups, and large ones, and a hash
/// would put three of four onto one of two silos. So those with consecutive numbers are spread evenly, whatever the
/// number of partitions is: multiples of the golden ratio (Knuth, The Art of Computer Programming 3, §6.4). All others
/// are hashed. Immutable.
/// </summary>
/// <param name="name">The groups' name. Groups of different names begin at different places.</param>
internal sealed class GroupPlace(string name)
{
    // 2^64 divided by the golden ratio.
    private const ulong Step = 0x9E37_79B9_7F4A_7C15;

    private readonly string _text = $"group:{name}";
    private readonly ulong _start = StableHash.Of($"group:{name}");

    /// <summary>The partition of a group.</summary>
    /// <param name="value">Which of the name's groups.</param>
    /// <param name="partitions">How many there are; at least 1.</param>
    public int PartitionOf(string value, int partitions)
    {
        if (!IsNumber(value, out var number)) return StableHash.Partition($"{_text}/{value}", partitions);
        var place = unchecked(_start + ((ulong)number * Step));
        return (int)Math.BigMul(place, (ulong)partitions, out _);
    }

    // As integer keys are written: "007" and "+7" are texts.
    private static bool IsNumber(string value, out long number) =>
        long.TryParse(value, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out number)
        && number.ToString(CultureInfo.InvariantCulture) == value;
}
