using Orleans;
using Orleans.Concurrency;

namespace Polyjuice.Lab.Workloads.Mixed;

/// <summary>What an access saw, before it changed anything.</summary>
[GenerateSerializer]
[Immutable]
public sealed class CellSight
{
    /// <summary>A list's elements.</summary>
    [Id(0)]
    public long[] Elements { get; set; } = [];

    /// <summary>The mark of a register or an account; 0 before the first update.</summary>
    [Id(1)]
    public long Mark { get; set; }

    /// <summary>An account's balance.</summary>
    [Id(2)]
    public long Balance { get; set; }
}
