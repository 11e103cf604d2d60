using Polyjuice.Lab.Load;
using Polyjuice.Lab.Workloads;
using Smallbank.Grains;

namespace Smallbank.Workload;

/// <summary>Makes transfers from one account to four others, all different.</summary>
internal sealed class MultiTransferClient(
    IBank bank, ZipfianGenerator accounts, BenchmarkRandom random, MoneyBooks books) : IWorkloadClient
{
    private const int Payees = 4;
    private const long AmountEach = 100;

    public async Task<OperationOutcome> RunOneAsync()
    {
        var chosen = new long[Payees + 1];
        accounts.NextDistinct(random, chosen);
        var outcome = await Outcomes.OfAsync<InsufficientFundsException>(
            bank.MultiTransfer(chosen[0], chosen[1..], AmountEach));
        if (outcome == OperationOutcome.InDoubt) books.Unknown(0, 0);
        return outcome;
    }
}
