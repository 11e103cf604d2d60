namespace Polyjuice.Lab.Workloads.Mixed;

/// <summary>How a transaction of the mixed workload begins and goes on.</summary>
public enum MixedCall
{
    /// <summary>A call of a reentrant grain, whose steps are made one after the other.</summary>
    OneByOne,

    /// <summary>A call whose steps are made all at once.</summary>
    Parallel,

    /// <summary>Calls within calls.</summary>
    Nested,

    /// <summary>A call that declares what it accesses.</summary>
    Declared,

    /// <summary>A call that declares nothing, of which it can be learned what it accesses.</summary>
    Learned,

    /// <summary>A call that is declared to read only: the sum of all accounts, or lists and registers.</summary>
    ReadOnly,

    /// <summary>A transaction of the client's, over several calls.</summary>
    Client,

    /// <summary>A transaction that the code of a grain starts in a call without one.</summary>
    Own,

    /// <summary>A call of a grain that takes one call at a time.</summary>
    Closed,
}

/// <summary>A transaction that a client has chosen.</summary>
/// <param name="Kind">How it begins.</param>
/// <param name="Root">The call that it is; for a client's transaction, the calls are its steps.</param>
/// <param name="SumsAccounts">Whether it reads all accounts.</param>
internal sealed record MixedPlan(MixedCall Kind, CellStep Root, bool SumsAccounts);
