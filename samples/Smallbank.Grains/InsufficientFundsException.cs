using Orleans;

namespace Smallbank.Grains;

/// <summary>
/// An account does not cover what is asked of it. Thrown inside a transaction, it aborts the transaction.
/// </summary>
[GenerateSerializer]
public sealed class InsufficientFundsException : Exception
{
    public InsufficientFundsException()
        : base("The account does not cover that amount.")
    {
    }
}
