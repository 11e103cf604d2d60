using Orleans;

namespace BankAccount.Grains;

/// <summary>The state of an account. Who never had an account has an empty one.</summary>
[GenerateSerializer]
public sealed class Balance
{
    /// <summary>The money in it; never below 0.</summary>
    [Id(0)]
    public decimal Amount { get; set; }
}
