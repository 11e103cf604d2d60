using Polyjuice.Lab.Load;
using Polyjuice.Lab.Workloads;
using Smallbank.Grains;

namespace Smallbank.Workload;

/// <summary>
/// Makes Smallbank's transactions in H-Store's mix and with its amounts: Amalgamate 15%, Balance 15%, DepositChecking
/// 15%, SendPayment 25%, TransactSavings 15%, WriteCheck 15%.
/// </summary>
internal sealed class SmallbankClient(
    IBank bank, ZipfianGenerator accounts, BenchmarkRandom random, MoneyBooks books) : IWorkloadClient
{
    private const long PaymentAmount = 500;
    private const long DepositAmount = 130;
    private const long SavingsAmount = 2_020;
    private const long CheckAmount = 500;

    public Task<OperationOutcome> RunOneAsync() => random.Next(100) switch
    {
        < 15 => WithTwoAsync(bank.Amalgamate),
        < 30 => BookAsync(bank.Balance(accounts.Next(random)), 0),
        < 45 => BookAsync(bank.DepositChecking(accounts.Next(random), DepositAmount), DepositAmount),
        < 70 => WithTwoAsync((from, to) => bank.SendPayment(from, to, PaymentAmount)),
        < 85 => BookAsync(bank.TransactSavings(accounts.Next(random), SavingsAmount), SavingsAmount),
        _ => WriteCheckAsync(bank.WriteCheck(accounts.Next(random), CheckAmount)),
    };

    private Task<OperationOutcome> WithTwoAsync(Func<long, long, Task> operation)
    {
        Span<long> two = stackalloc long[2];
        accounts.NextDistinct(random, two);
        return BookAsync(operation(two[0], two[1]), 0);
    }

    private async Task<OperationOutcome> BookAsync(Task operation, long change)
    {
        var outcome = await Outcomes.OfAsync<InsufficientFundsException>(operation);
        if (outcome == OperationOutcome.Committed) books.Committed(change);
        else if (outcome == OperationOutcome.InDoubt) books.Unknown(change, change);
        return outcome;
    }

    private async Task<OperationOutcome> WriteCheckAsync(Task<long> operation)
    {
        var outcome = await Outcomes.OfAsync<InsufficientFundsException>(operation);
        if (outcome == OperationOutcome.Committed) books.Committed(-await operation);
        else if (outcome == OperationOutcome.InDoubt)
            books.Unknown(-CheckAmount - Rules.OverdraftPenalty, -CheckAmount);
        return outcome;
    }
}
