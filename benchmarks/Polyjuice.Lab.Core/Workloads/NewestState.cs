using System.Collections.Immutable;
using Orleans;

namespace Polyjuice.Lab.Workloads;

/// <summary>
/// An index of what was added last: the newest trades of an account, the newest auctions of a region.
/// </summary>
[GenerateSerializer]
public sealed class NewestState
{
    /// <summary>Keys that are listed; older ones are only counted.</summary>
    public const int ListedMax = 20;

    /// <summary>The newest first; replaced as a whole, so that copies share it.</summary>
    [Id(0)]
    public ImmutableArray<long> Newest { get; set; } = [];

    /// <summary>How many there were.</summary>
    [Id(1)]
    public long Count { get; set; }

    /// <summary>Adds one.</summary>
    public void Add(long key)
    {
        Count++;
        var longer = Newest.Insert(0, key);
        Newest = longer.Length > ListedMax ? longer.RemoveAt(ListedMax) : longer;
    }
}
