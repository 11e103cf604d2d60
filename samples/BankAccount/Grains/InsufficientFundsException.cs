using System.Globalization;
using Orleans;

namespace BankAccount.Grains;

/// <summary>There is less in an account than somebody wants to take out of it.</summary>
[GenerateSerializer]
public sealed class InsufficientFundsException : Exception
{
    /// <summary>Creates it.</summary>
    public InsufficientFundsException(string owner, decimal available, decimal wanted)
        : base(string.Create(CultureInfo.InvariantCulture, $"{owner} has {available:N2} and not {wanted:N2}"))
    {
    }
}
