using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Faults;
using Polyjuice.Simulation.Grains;
using Polyjuice.Simulation.Runs;

namespace Polyjuice.Simulation.Tests.Faults;

/// <summary>Four clients that move money between a few accounts while things go wrong, and the verdict.</summary>
internal static class TransferRun
{
    public const int Accounts = 8;
    public const int Transfers = 100;

    private const int Clients = 4;
    private const long RunMax = 30_000_000;

    /// <summary>A cluster that a run takes.</summary>
    public static ClusterShape Shape { get; } = new() { Nodes = 3, Partitions = 3, Accounts = Accounts };

    /// <summary>Runs it. The cluster is over and tells what has happened.</summary>
    public static SimulatedCluster Execute(ClusterShape shape, FaultProfile profile, ulong seed)
    {
        using var cluster = SimulatedCluster.Start(shape, seed);
        var random = new SimulationRandom(seed);
        var injector = new FaultInjector(cluster, profile, random.Fork(1), Transfers);
        var started = 0;
        cluster.RecordEnded = record => Transfer(record.Client);
        for (var client = 0; client < Clients; client++) Transfer(client);
        injector.Start();
        cluster.Loop.RunUntil(() => started == Transfers && cluster.Running == 0, RunMax);
        injector.Stop();
        var final = Verdict.Judge(cluster);
        Assert.Equal(Accounts * shape.OpeningBalance, final.Sum(account => account.Balance));
        Assert.Contains(cluster.Records, record => record.Client >= 0 && record.Outcome == Outcome.Committed);
        return cluster;

        void Transfer(int client) => cluster.Loop.Queue(random.Between(1, 500), EventKind.Client, client, () =>
        {
            if (started == Transfers) return;
            injector.TransactionStarted(++started);
            var from = random.Next(Accounts);
            var to = (from + 1 + random.Next(Accounts - 1)) % Accounts;
            var body = Step.Sequence(Step.Update(from, -1), Step.Update(to, 1));
            cluster.Submit(random.Pick(cluster.Alive), new TransactionSpec("Transfer", body), client: client);
        });
    }
}
