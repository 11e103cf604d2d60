using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Grains;

namespace Polyjuice.Simulation.Workloads;

/// <summary>
/// Transactions that access the same whatever they see, and that no user's
/// exception ends: who reserves it all can be kept from committing by nobody.
/// </summary>
internal sealed class FixedSetWorkload(SimulationRandom random, ClusterShape shape) : IWorkload
{
    private const int AccountsMax = 5;

    /// <inheritdoc/>
    public TransactionSpec Next()
    {
        var accounts = Enumerable.Range(0, shape.Accounts).OrderBy(_ => random.Next())
            .Take(1 + random.Next(Math.Min(AccountsMax, shape.Accounts))).ToArray();
        var steps = accounts.Select(
            account => random.Chance(0.25)
                ? Step.Read(account)
                : random.Chance(0.2)
                    ? Step.Sequence(Step.Update(account, 1), Step.Update(account, 1))
                    : Step.Update(account, 1))
            .ToArray();
        var body = random.Next(3) switch
        {
            0 => Step.Parallel(steps),
            1 => Step.Sequence(steps[0], Step.Parallel(steps[1..])),
            _ => Step.Sequence(steps),
        };
        return new TransactionSpec("Fixed", body);
    }
}
