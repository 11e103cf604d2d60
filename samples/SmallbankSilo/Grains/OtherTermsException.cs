using Orleans;

namespace SmallbankSilo.Grains;

/// <summary>There is a bank with other terms. Thrown inside a transaction, it aborts the transaction.</summary>
[GenerateSerializer]
public sealed class OtherTermsException : Exception
{
    public OtherTermsException(BankTerms terms)
        : base(
            $"There is a bank of {terms.Accounts} accounts, with {terms.Checking} and {terms.Savings} cents in each "
            + "at first; it is not made again.")
    {
    }
}
