using Orleans;
using Polyjuice;

namespace Smallbank.Grains;

/// <summary>
/// A customer's checking and savings accounts, with the transactions of Smallbank (Alomari et al., ICDE 2008; the mix is
/// H-Store's). A call from a client starts a transaction; a call from another account joins the caller's. Amounts are cents.
/// </summary>
public interface IAccountGrain : IGrainWithIntegerKey
{
    /// <summary>Sets both balances.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task Open(long checking, long savings);

    /// <summary>Both balances together.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task<long> Balance();

    /// <summary>Adds to checking.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task DepositChecking(long amount);

    /// <summary>Adds to savings; a negative amount withdraws. Throws <see cref="InsufficientFundsException"/> if savings would become negative.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task TransactSavings(long amount);

    /// <summary>Moves everything that this customer has to another customer's checking.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task Amalgamate(long into);

    /// <summary>
    /// Takes a check from checking, plus a penalty of one unit if both balances together do not cover it. Returns what was taken.
    /// </summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task<long> WriteCheck(long amount);

    /// <summary>
    /// Pays from checking to another customer's. Answers false, and moves nothing, if checking does not cover it: Amalgamate empties
    /// accounts all the time, so that this is an everyday answer and no exception.
    /// </summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task<bool> SendPayment(long to, long amount);

    /// <summary>
    /// Pays the same amount to several customers at once, the deposits in parallel. Throws
    /// <see cref="InsufficientFundsException"/> if checking does not cover them all.
    /// </summary>
    [Transaction(TransactionOption.CreateOrJoin), Reconnaissance]
    Task MultiTransfer(long[] to, long amountEach);
}
