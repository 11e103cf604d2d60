using Orleans;

namespace Polyjuice.Lab.Workloads.Mixed;

/// <summary>The state of a cell's list.</summary>
[GenerateSerializer]
public sealed class ListCell
{
    /// <summary>The marks of its updates, in their order.</summary>
    [Id(0)]
    public List<long> Elements { get; set; } = [];
}

/// <summary>The state of a cell's register, and of its account.</summary>
[GenerateSerializer]
public sealed class MarkedCell
{
    /// <summary>The mark of the last update.</summary>
    [Id(0)]
    public long Mark { get; set; }

    /// <summary>An account's balance.</summary>
    [Id(1)]
    public long Balance { get; set; }
}
