using Orleans;
using Orleans.Concurrency;

namespace BankAccount.Grains;

/// <summary>
/// One account, whose key is its owner's name. A call from outside
/// is a transaction of its own; a call from within one joins that.
/// </summary>
public interface IAccountGrain : IGrainWithStringKey
{
    /// <summary>Puts money in.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task Deposit(decimal amount);

    /// <summary>
    /// Takes money out. Throws <see cref="InsufficientFundsException"/>
    /// when there is not enough, and so aborts the transaction.
    /// </summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task Withdraw(decimal amount);

    /// <summary>How much there is.</summary>
    [Transaction(TransactionOption.CreateOrJoin), ReadOnly]
    Task<decimal> GetBalance();
}
