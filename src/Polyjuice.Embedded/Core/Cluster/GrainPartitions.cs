using Orleans.Runtime;
using Polyjuice.Hosting;

namespace Polyjuice.Embedded.Core;

/// <summary>Which log partition a grain belongs to. Immutable.</summary>
internal sealed class GrainPartitions(int count)
{
    /// <summary>Number of log partitions; fixed.</summary>
    public int Count { get; } = count;

    /// <summary>A grain's partition.</summary>
    public int Of(GrainId grain) => StableHash.Partition(grain.ToString(), Count);

    /// <summary>A grain's partition, without making its identity's text.</summary>
    public int Of(GrainClass grainClass, string key)
    {
        var length = grainClass.Name.Length + 1 + key.Length;
        if (length > 256) return StableHash.Partition($"{grainClass.Name}/{key}", Count);
        Span<char> text = stackalloc char[length];
        grainClass.Name.CopyTo(text);
        text[grainClass.Name.Length] = '/';
        key.CopyTo(text[(grainClass.Name.Length + 1)..]);
        return StableHash.Partition(text, Count);
    }
}
