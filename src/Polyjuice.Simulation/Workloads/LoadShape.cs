namespace Polyjuice.Simulation.Workloads;

/// <summary>What random transactions look like.</summary>
internal sealed record LoadShape
{
    public WorkloadKind Kind { get; init; } = WorkloadKind.Mixed;

    /// <summary>Of transaction types: declared read-only.</summary>
    public double ReadOnlyShare { get; init; } = 0.15;

    /// <summary>How often user code throws, or swallows what was thrown.</summary>
    public double UserExceptions { get; init; }

    /// <summary>Of transactions that may write: those that have a service outside asked at their commit.</summary>
    public double FinalSteps { get; init; }

    /// <summary>Of accesses: to one hot account, at the most.</summary>
    public double HotShareMax { get; init; } = 0.6;

    /// <summary>Of call trees.</summary>
    public int DepthMax { get; init; } = 3;

    /// <summary>Of call trees.</summary>
    public int WidthMax { get; init; } = 3;

    /// <summary>Whether transactions access the same whatever they see (<see cref="FixedSetWorkload"/>).</summary>
    public bool HasFixedSets { get; init; }

    public bool HasMoney => Kind is WorkloadKind.Mixed;
}
