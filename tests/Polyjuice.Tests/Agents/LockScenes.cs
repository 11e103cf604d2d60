using Polyjuice.Contracts;
using Polyjuice.Policies;
using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Network;
using Polyjuice.Simulation.Storage;

namespace Polyjuice.Tests.Agents;

/// <summary>What tests of waits for holders on several nodes begin with, and look at.</summary>
internal static class LockScenes
{
    /// <summary>How long a message takes, in microseconds.</summary>
    public const long MessageDelay = 100;

    /// <summary>What is asserted is how a wait ends: neither it nor its transaction ends for another reason.</summary>
    public static EngineOptions PatientOptions()
    {
        var options = ClusterShape.FastOptions();
        options.WaitDeadlineMicroseconds = 20_000_000;
        options.TransactionTimeoutMicroseconds = 30_000_000;
        return options;
    }

    /// <summary>
    /// Three nodes under a table that waits for holders everywhere. Grains 0,
    /// 3, 6 … live on node 0, grains 1, 4, 7 … on node 1, the others on node 2.
    /// </summary>
    public static SimulatedCluster Start(int accounts, EngineOptions options) => SimulatedCluster.Start(
        new ClusterShape
        {
            Nodes = 3, Partitions = 3, Accounts = accounts, ThinkMax = 0, DirectoryLag = 0, CallTimeout = 30_000_000,
            Options = options, Policy = static _ => new FixedPolicy("locks", PolicyActions.WaitForHolders),
            Network = new NetworkProfile { DelayMin = MessageDelay, DelayMax = MessageDelay },
            Storage = new StorageProfile { DelayMin = 200, DelayMax = 200 },
        },
        seed: 1);

    public static long Sum(SimulatedCluster cluster, Func<EngineStatistics, long> counter) =>
        cluster.Alive.Sum(node => counter(node.Engine.Statistics));

    public static void Until(SimulatedCluster cluster, Func<bool> condition) =>
        cluster.Require(condition, 10_000_000, "progress", "the script must get on");
}
