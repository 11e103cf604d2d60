using Orleans;

namespace BankAccount.Grains;

/// <summary>A cash machine: has no money of its own, and moves other people's.</summary>
public interface IAtmGrain : IGrainWithIntegerKey
{
    /// <summary>Takes from one account and puts into another, both or neither.</summary>
    [Transaction(TransactionOption.Create)]
    Task Transfer(IAccountGrain from, IAccountGrain to, decimal amount);

    /// <summary>What is in all accounts at one moment, whatever moves between them meanwhile.</summary>
    [Transaction(TransactionOption.Create)]
    Task<decimal> Total(List<IAccountGrain> accounts);
}
