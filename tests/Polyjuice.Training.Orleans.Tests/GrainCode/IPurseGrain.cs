using Orleans;

namespace Polyjuice.Training.Orleans.Tests.GrainCode;

/// <summary>
/// Some money. What is done first and last in a payment has methods of its own, so that those are sites of their own.
/// </summary>
public interface IPurseGrain : IGrainWithIntegerKey
{
    [Transaction(TransactionOption.CreateOrJoin)]
    Task Open(long amount);

    [Transaction(TransactionOption.CreateOrJoin)]
    Task Charge(long amount);

    [Transaction(TransactionOption.CreateOrJoin)]
    Task Take(long amount);

    [Transaction(TransactionOption.CreateOrJoin)]
    Task Put(long amount);

    [Transaction(TransactionOption.CreateOrJoin)]
    Task Settle(long amount);
}
