namespace PolyjuiceBank.Grains;

/// <summary>An account of a customer, of a shop, or of the bank itself.</summary>
public interface IAccountGrain : IGrainWithStringKey
{
    [Transaction(TransactionOption.CreateOrJoin)]
    Task Deposit(decimal amount);

    [Transaction(TransactionOption.CreateOrJoin)]
    Task<decimal> GetBalance();

    /// <summary>Pays a shop, and the bank's fee. Both get it, or nobody does.</summary>
    /// <returns>Whether the account has so much.</returns>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task<bool> Pay(string shop, decimal amount);

    /// <summary>Gives a customer money back, without the fee.</summary>
    /// <returns>Whether the account has so much.</returns>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task<bool> Refund(string customer, decimal amount);

    /// <summary>What this account and others have together, at one moment.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task<decimal> GetTotal(string[] others);
}
