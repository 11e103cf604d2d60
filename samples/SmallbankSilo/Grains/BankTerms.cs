using Orleans;

namespace SmallbankSilo.Grains;

/// <summary>How many accounts there are to be, and with what.</summary>
/// <param name="Accounts">Their keys are 1 to this.</param>
/// <param name="Checking">In cents, in each at first.</param>
/// <param name="Savings">Likewise.</param>
[GenerateSerializer, Immutable]
public sealed record BankTerms(
    [property: Id(0)] int Accounts, [property: Id(1)] long Checking, [property: Id(2)] long Savings);

/// <summary>The bank, as it is.</summary>
/// <param name="Terms">As it was begun.</param>
/// <param name="Opened">How many accounts are open.</param>
[GenerateSerializer, Immutable]
public sealed record BankInfo([property: Id(0)] BankTerms Terms, [property: Id(1)] int Opened)
{
    /// <summary>Whether all are.</summary>
    public bool IsOpen => Opened == Terms.Accounts;
}
