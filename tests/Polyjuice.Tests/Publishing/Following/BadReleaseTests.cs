using Microsoft.Extensions.Logging.Abstractions;
using Polyjuice.Contracts;
using Polyjuice.Policies;
using Polyjuice.Publishing;
using Polyjuice.Publishing.Following;
using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Grains;
using Polyjuice.Simulation.Network;
using Polyjuice.Simulation.Storage;

namespace Polyjuice.Tests.Publishing.Following;

/// <summary>Real transactions, whose throughput a bad table ruins.</summary>
public sealed class BadReleaseTests
{
    private const int Clients = 16;
    private const int Silos = 3;

    private readonly PublishedPoliciesOptions _options = new()
    {
        Interval = TimeSpan.FromMilliseconds(200), Settle = TimeSpan.FromMilliseconds(400),
        Baseline = TimeSpan.FromSeconds(2), Trial = TimeSpan.FromSeconds(4),
    };

    [Fact]
    public void A_table_that_is_bad_for_the_load_is_taken_back_within_its_trial_and_no_transaction_fails()
    {
        using var cluster = Start();
        var time = new VirtualTime(cluster.Loop);
        var repository = new PolicyRepository(new MemoryPolicyEntries(), time);
        var changes = cluster.Alive.Select(_ => new List<(PolicyChange Change, TimeSpan At)>()).ToArray();
        var followers = cluster.Alive.Zip(changes, (node, list) => Follow(node, repository, time, list)).ToArray();
        new ClientTurn(cluster.Loop).Run(
            async () =>
            {
                using var end = new CancellationTokenSource();
                var following = followers.Select(follower => follower.RunAsync(end.Token)).ToArray();
                await Task.Delay(TimeSpan.FromSeconds(3), time);
                await repository.PublishAsync(FollowedSilos.Text("locking"), "anna");
                await Task.Delay(TimeSpan.FromSeconds(5), time);
                end.Cancel();
                await Task.WhenAll(following);
            },
            60_000_000);
        cluster.RecordEnded = null;
        cluster.AwaitEnd(cluster.Records);
        foreach (var follower in followers) follower.Dispose();

        Assert.All(cluster.Records, record => Assert.Equal(Outcome.Committed, record.Outcome));
        Assert.All(cluster.Alive, node => Assert.Equal("dirty-public", node.Policies.Current.Name));
        foreach (var silo in changes)
        {
            Assert.Equal(
                [PolicyChangeKind.Taken, PolicyChangeKind.PutBack],
                silo.Select(entry => entry.Change.Kind).Where(kind => kind != PolicyChangeKind.RolledBack));
            Assert.InRange(silo[1].At - silo[0].At, TimeSpan.Zero, _options.Trial + _options.Interval);
        }

        Assert.Single(changes.SelectMany(silo => silo), entry => entry.Change.Kind == PolicyChangeKind.RolledBack);
    }

    /// <summary>All transfers go through one hot account.</summary>
    private static SimulatedCluster Start()
    {
        var cluster = SimulatedCluster.Start(
            new ClusterShape
            {
                Nodes = Silos, Partitions = Silos, Accounts = 1 + Clients, Options = new EngineOptions(),
                Policy = _ => BuiltinPolicies.Get("dirty-public"),
                Network = new NetworkProfile { DelayMin = 2_000, DelayMax = 2_000 },
                Storage = new StorageProfile { DelayMin = 10_000, DelayMax = 10_000 },
            },
            seed: 1);
        cluster.RecordEnded = record => Transfer(record.Client);
        for (var client = 0; client < Clients; client++) Transfer(client);
        return cluster;

        void Transfer(int client)
        {
            var body = Step.Sequence(Step.Update(0, -1), Step.Update(1 + client, 1));
            cluster.Submit(cluster.Node(client % Silos), new TransactionSpec("Transfer", body), client: client);
        }
    }

    private PolicyFollower Follow(
        SimulatedNode node, PolicyRepository repository, TimeProvider time, List<(PolicyChange, TimeSpan)> changes)
    {
        var name = $"silo {node.Id}";
        var follower = new PolicyFollower(
            repository, node.Policies, () => node.Engine.Statistics, _options, time, NullLogger.Instance, name);
        follower.Changed += change => changes.Add((change, TimeSpan.FromMicroseconds(node.Cluster.Loop.Now)));
        return follower;
    }
}
