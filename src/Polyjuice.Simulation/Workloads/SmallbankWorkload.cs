using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Grains;

namespace Polyjuice.Simulation.Workloads;

/// <summary>
/// The Smallbank benchmark (Alomari et al., ICDE 2008) on synthetic grains. Customer n has the checking account 2n and
/// the savings account 2n + 1.
/// </summary>
internal sealed class SmallbankWorkload(SimulationRandom random, ClusterShape shape, LoadShape load) : IWorkload
{
    private readonly int _customers = Math.Max(1, shape.Accounts / 2);
    private readonly int _hot = random.Next(Math.Max(1, shape.Accounts / 2));
    private readonly double _hotShare = random.NextDouble() * load.HotShareMax;
    private readonly bool _declaresReads = random.Chance(0.5);

    public TransactionSpec Next() => random.Next(6) switch
    {
        0 => Balance(Customer()),
        1 => DepositChecking(Customer()),
        2 => TransactSavings(Customer()),
        3 => Amalgamate(Customer(), Customer()),
        4 => WriteCheck(Customer()),
        _ => SendPayment(Customer(), Customer()),
    };

    private static int Checking(int customer) => 2 * customer;

    private int Savings(int customer) => Math.Min((2 * customer) + 1, shape.Accounts - 1);

    private int Customer() => random.Chance(_hotShare) ? _hot : random.Next(_customers);

    private long Amount() => random.Between(1, shape.OpeningBalance / 2);

    private TransactionSpec Balance(int customer)
    {
        Step[] reads = [Step.Read(Savings(customer)), Step.Read(Checking(customer))];
        return new TransactionSpec(
            "Balance", random.Chance(0.5) ? Step.Parallel(reads) : Step.Sequence(reads), IsReadOnly: _declaresReads);
    }

    private TransactionSpec DepositChecking(int customer) =>
        new("DepositChecking", Step.Update(Checking(customer), Amount()));

    private TransactionSpec TransactSavings(int customer) =>
        new("TransactSavings", Step.Withdraw(Savings(customer), Amount()));

    private TransactionSpec Amalgamate(int from, int to) => new("Amalgamate", Step.Sequence(
        Step.Adjust(Savings(from), (_, balance) => -balance),
        Step.Adjust(Checking(from), (_, balance) => -balance),
        Step.Adjust(
            Checking(to),
            (view, _) => -view.Observations.Where(seen => seen.IsUpdate).TakeLast(2).Sum(seen => seen.Delta))));

    private TransactionSpec WriteCheck(int customer)
    {
        var amount = Amount();
        var (checking, savings) = (Checking(customer), Savings(customer));
        return new TransactionSpec("WriteCheck", Step.Sequence(
            Step.Read(savings),
            Step.Read(checking),
            Step.If(
                view => view.Balance(savings) + view.Balance(checking) < amount,
                Step.Update(checking, -amount - 1),
                Step.Update(checking, -amount))));
    }

    private TransactionSpec SendPayment(int from, int to)
    {
        var amount = Amount();
        var take = Step.Withdraw(Checking(from), amount);
        var give = Step.Update(Checking(to), amount);
        return new TransactionSpec(
            "SendPayment", from == to || random.Chance(0.7) ? Step.Sequence(take, give) : Step.Parallel(take, give));
    }
}
