namespace Polyjuice.Simulation.Specification.State;

/// <summary>Where a transaction stands at an owner.</summary>
internal enum BranchStatus : byte
{
    /// <summary>It executes.</summary>
    Running,

    /// <summary>It is ordered, and undecided.</summary>
    Ordered,

    /// <summary>It has committed.</summary>
    Committed,

    /// <summary>It has aborted, or can never commit.</summary>
    Aborted,
}
