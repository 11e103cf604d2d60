using Orleans;

namespace Polyjuice.Orleans.Idempotency;

/// <summary>
/// A page of records of answered calls, as a grain: it is accessed within the transactions that are recorded.
/// </summary>
[Alias("Polyjuice.IIdempotencyKeys")]
internal interface IIdempotencyKeys : IGrainWithStringKey
{
    /// <summary>Looks for a call's record.</summary>
    /// <param name="name">Of the call.</param>
    [Transaction(TransactionOption.Join), Alias("Find")]
    Task<PageLook> Find(Guid name);

    /// <summary>Records a call.</summary>
    /// <param name="call">The record.</param>
    [Transaction(TransactionOption.Join), Alias("Keep")]
    Task Keep(AnsweredCall call);

    /// <summary>From now on there are pages below this one.</summary>
    [Transaction(TransactionOption.Join), Alias("Extend")]
    Task Extend();
}
