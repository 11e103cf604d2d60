using Polyjuice.Agents;
using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Events;

namespace Polyjuice.Simulation.Grains;

/// <summary>
/// What the calls of simulated clients say of accounts: those that a program
/// names, as two arguments would, so that what is learned of them is mostly true.
/// </summary>
internal sealed class SpecKeys(SimulatedCluster cluster, TransactionRecord record) : ICallKeys, IGrainNames
{
    /// <summary>
    /// Those that are updated first, then those that are read; now and then one too few, or one that is not accessed.
    /// </summary>
    public CallKeys Of(ITransactionBody body)
    {
        var random = new SimulationRandom(SimulationRandom.Mix(cluster.Seed ^ ((ulong)record.Id << 21)));
        var found = new List<(int Account, bool Updates)>();
        DeclaredSet.Collect(record.Spec.Body, found);
        if (!cluster.Shape.KeepsToSets && random.Chance(0.03))
            found.Add((random.Next(cluster.Shape.Accounts), random.Chance(0.5)));
        var keys = new CallKeys("Root/0");
        foreach (var (account, updates) in found)
        {
            if (cluster.Shape.KeepsToSets || !random.Chance(0.03)) keys.Add(updates ? 0 : 1, new Named(account), this);
        }

        return keys;
    }

    public string KeyOf(long key) => $"{key}";

    public string KeyOf(Guid key) => $"{key:N}";

    public string? NameOf(object reference) =>
        reference is Named named ? cluster.Accounts.KeyOf(named.Account).Grain : null;

    private sealed record Named(int Account);
}
