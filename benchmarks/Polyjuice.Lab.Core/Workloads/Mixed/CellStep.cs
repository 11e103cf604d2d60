using Orleans;
using Orleans.Concurrency;

namespace Polyjuice.Lab.Workloads.Mixed;

/// <summary>
/// A step of a transaction: an access to a part of a cell, or a call of a cell that makes steps of its own.
/// </summary>
[GenerateSerializer]
[Immutable]
public sealed class CellStep
{
    /// <summary>The cell's key.</summary>
    [Id(0)]
    public string Cell { get; set; } = "";

    /// <summary>What of the cell is accessed. Without a meaning for a call.</summary>
    [Id(1)]
    public CellPart Part { get; set; }

    /// <summary>What an update leaves there: no other update has the same. 0 for a read.</summary>
    [Id(2)]
    public long Mark { get; set; }

    /// <summary>What an update of an account adds to its balance.</summary>
    [Id(3)]
    public long Amount { get; set; }

    /// <summary>The steps of a call; none for an access.</summary>
    [Id(4)]
    public CellStep[] Steps { get; set; } = [];

    /// <summary>Whether the steps of a call are all made at once. Then no part of a cell may come twice.</summary>
    [Id(5)]
    public bool IsParallel { get; set; }

    /// <summary>Whether the call throws <see cref="CellDeclinedException"/> after its steps.</summary>
    [Id(6)]
    public bool Declines { get; set; }

    /// <summary>Whether it is a call.</summary>
    public bool IsCall => Steps.Length > 0;

    /// <summary>
    /// The accesses of this step and of those below it, in the order in which a transaction reports them.
    /// </summary>
    public IEnumerable<CellStep> Accesses() => IsCall ? Steps.SelectMany(step => step.Accesses()) : [this];
}
