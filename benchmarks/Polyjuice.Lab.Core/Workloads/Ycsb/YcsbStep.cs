using Orleans;
using Orleans.Concurrency;

namespace Polyjuice.Lab.Workloads.Ycsb;

/// <summary>What YCSB does to a record. The numbers are those of <see cref="YcsbWorkload.OperationTypes"/>.</summary>
public enum YcsbAction : byte
{
    /// <summary>Reads all fields.</summary>
    Read,

    /// <summary>Overwrites a field without reading.</summary>
    Update,

    /// <summary>Makes a new record.</summary>
    Insert,

    /// <summary>Reads records that follow each other.</summary>
    Scan,

    /// <summary>Reads, and overwrites a field.</summary>
    ReadModifyWrite,
}

/// <summary>One operation.</summary>
/// <param name="Action">What to do.</param>
/// <param name="Key">The record, or the first.</param>
/// <param name="Argument">The field to write, or how many to scan.</param>
[GenerateSerializer]
[Immutable]
public sealed record YcsbStep(
    [property: Id(0)] YcsbAction Action, [property: Id(1)] long Key, [property: Id(2)] int Argument);
