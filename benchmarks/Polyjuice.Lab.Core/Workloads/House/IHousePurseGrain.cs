using Orleans;

namespace Polyjuice.Lab.Workloads.House;

/// <summary>
/// A purse: a customer's, or one of a house's two, which all payments at that house update first and last.
/// </summary>
public interface IHousePurseGrain : IGrainWithIntegerKey
{
    /// <summary>Begins a payment, at a house's purse for fees.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task Charge(long amount);

    /// <summary>Takes money out; what is in it may fall below 0.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task Take(long amount);

    /// <summary>Puts money in.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task Put(long amount);

    /// <summary>Ends a payment, at a house's purse for its turnover.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task Settle(long amount);

    /// <summary>What is in it.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task<long> Count();
}
