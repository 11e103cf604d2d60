namespace Polyjuice.Orleans.Conformance.Clusters;

/// <summary>The kit's grain classes: one, two and many states.</summary>
public static class GrainKinds
{
    public static TheoryData<string> All =>
        [Kinds.SingleStateTransactionalGrain, Kinds.DoubleStateTransactionalGrain, Kinds.MaxStateTransactionalGrain];

    /// <summary>With as many grains as the kit takes of each.</summary>
    public static TheoryData<string, int> Counted => new()
    {
        { Kinds.SingleStateTransactionalGrain, Kinds.MaxCoordinatedTransactions },
        { Kinds.DoubleStateTransactionalGrain, Kinds.MaxCoordinatedTransactions / 2 },
        { Kinds.MaxStateTransactionalGrain, 1 },
    };

    public static TheoryData<string, int> CountedFew => new()
    {
        { Kinds.SingleStateTransactionalGrain, Kinds.MaxCoordinatedTransactions },
        { Kinds.DoubleStateTransactionalGrain, Kinds.MaxCoordinatedTransactions / 2 },
    };
}
