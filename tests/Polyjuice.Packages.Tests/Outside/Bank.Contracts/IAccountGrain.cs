namespace Bank;

public interface IAccountGrain : IGrainWithIntegerKey
{
    [Transaction(TransactionOption.CreateOrJoin)]
    Task Deposit(long amount);

    [Transaction(TransactionOption.CreateOrJoin)]
    Task<long> Balance();

    /// <summary>Whether the account has so much, and the other one has it now.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task<bool> Send(IAccountGrain to, long amount);
}
