using Orleans;
using Polyjuice;

namespace Smallbank.Grains;

/// <summary>
/// A customer's checking and savings accounts, with the transactions of Smallbank (Alomari et al., ICDE 2008; the mix
/// is H-Store's). A call from a client starts a transaction; a call from another account joins the caller's. Amounts
/// are cents. What a method says that it reads and updates is for policies that reserve states before a body runs;
/// other policies ignore it.
/// </summary>
public interface IAccountGrain : IGrainWithIntegerKey
{
    /// <summary>Sets both balances.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task Open(long checking, long savings);

    /// <summary>Both balances together.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    [Reads("savings"), Reads("checking")]
    Task<long> Balance();

    /// <summary>Adds to checking.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    [Updates("checking")]
    Task DepositChecking(long amount);

    /// <summary>
    /// Adds to savings; a negative amount withdraws. Throws
    /// <see cref="InsufficientFundsException"/> if savings would become negative.
    /// </summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    [Updates("savings")]
    Task TransactSavings(long amount);

    /// <summary>Moves everything that this customer has to another customer's checking.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    [Updates("savings"), Updates("checking"), Updates("checking", Of = nameof(into))]
    Task Amalgamate(long into);

    /// <summary>
    /// Takes a check from checking, plus a penalty of one unit if both
    /// balances together do not cover it. Returns what was taken.
    /// </summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    [Reads("savings"), Updates("checking")]
    Task<long> WriteCheck(long amount);

    /// <summary>
    /// Pays from checking to another customer's. Answers false, and moves nothing, if checking does not cover it:
    /// Amalgamate empties accounts all the time, so that this is an everyday answer and no exception.
    /// </summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    [Updates("checking"), Updates("checking", Of = nameof(to))]
    Task<bool> SendPayment(long to, long amount);

    /// <summary>
    /// Pays the same amount to several customers at once, the deposits in parallel. Throws
    /// <see cref="InsufficientFundsException"/> if checking does not cover them all.
    /// </summary>
    [Transaction(TransactionOption.CreateOrJoin), Reconnaissance]
    [Updates("checking"), Updates("checking", Of = nameof(to))]
    Task MultiTransfer(long[] to, long amountEach);
}
