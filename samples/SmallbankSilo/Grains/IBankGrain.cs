using Orleans;
using Orleans.Concurrency;

namespace SmallbankSilo.Grains;

/// <summary>The bank: which accounts there are. Its key is 0.</summary>
public interface IBankGrain : IGrainWithIntegerKey
{
    /// <summary>
    /// Opens the next accounts, as long as there are some to open: those are open for good, all of them or none.
    /// Throws <see cref="OtherTermsException"/> if the bank has other terms than these.
    /// </summary>
    [Transaction(TransactionOption.Create)]
    Task<BankInfo> OpenNext(BankTerms terms);

    /// <summary>What there is; <see langword="null"/> before the first account.</summary>
    [Transaction(TransactionOption.Create), ReadOnly]
    Task<BankInfo?> Read();

    /// <summary>The money in all accounts at one moment, whatever moves meanwhile.</summary>
    [Transaction(TransactionOption.Create), ReadOnly]
    Task<long> Total();
}
