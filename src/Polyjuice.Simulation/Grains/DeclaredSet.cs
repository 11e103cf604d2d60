using Polyjuice.Agents;
using Polyjuice.Contracts;
using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Events;

namespace Polyjuice.Simulation.Grains;

/// <summary>What simulated clients declare that their transactions access: mostly true.</summary>
internal sealed class DeclaredSet(SimulatedCluster cluster, TransactionRecord record) : IDeclaredAccessSet
{
    /// <summary>
    /// The accounts that a program names, now and then one too few, one too many, or an update that is declared a read.
    /// </summary>
    public IReadOnlyList<DeclaredAccess> Of(ITransactionBody body)
    {
        var random = new SimulationRandom(SimulationRandom.Mix(cluster.Seed ^ ((ulong)record.Id << 20)));
        var found = new List<(int Account, bool Updates)>();
        Collect(record.Spec.Body, found);
        if (!cluster.Shape.KeepsToSets && random.Chance(0.1))
            found.Add((random.Next(cluster.Shape.Accounts), random.Chance(0.5)));
        var set = new List<DeclaredAccess>();
        foreach (var (account, updates) in found)
        {
            if (!cluster.Shape.KeepsToSets && random.Chance(0.1)) continue;
            set.Add(
                new DeclaredAccess(
                    cluster.Accounts.KeyOf(account),
                    updates && (cluster.Shape.KeepsToSets || !random.Chance(0.1)),
                    cluster.Accounts.IsRow(cluster.Accounts.UnitOf(account))));
        }

        return set;
    }

    public static void Collect(Step step, List<(int Account, bool Updates)> found)
    {
        switch (step)
        {
            case ReadStep read:
                found.Add((read.Account, false));
                break;
            case UpdateStep update:
                found.Add((update.Account, true));
                break;
            case DecideStep decide:
                found.Add((decide.Account, true));
                break;
        }

        foreach (var part in step.Parts) Collect(part, found);
    }
}
