using Polyjuice.Contracts;
using Polyjuice.Policies;
using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Grains;
using Polyjuice.Simulation.Network;
using Polyjuice.Wire;
using static Polyjuice.Tests.Agents.ReservationScenes;

namespace Polyjuice.Tests.Wire;

/// <summary>
/// The order in which attempts queue for what they reserve, and what is done where messages have overtaken each other.
/// </summary>
public class ReservationOrderTests
{
    [Theory]
    [InlineData(0)]
    [InlineData(int.MaxValue)]
    public void Transfers_in_any_order_at_any_speed_commit_without_any_abort(int handOnAfter)
    {
        var options = ClusterShape.FastOptions();
        options.HandOnAfterKept = handOnAfter;
        var (handedOn, givenWay) = (0L, 0L);
        options.ReservationTimeoutMicroseconds = options.WaitDeadlineMicroseconds = 5_000_000;
        for (var seed = 1UL; seed <= 40; seed++)
        {
            using var cluster = SimulatedCluster.Start(
                new ClusterShape
                {
                    Nodes = 2 + (int)(seed % 2), Partitions = 2 + (int)(seed % 3), Accounts = 6,
                    ThinkMax = (long)(seed % 4) * 100, DirectoryLag = 0, Options = options,
                    Network = new NetworkProfile { DelayMin = 10, DelayMax = 50 + (long)(seed % 5 * 300) },
                    Policy = _ => BuiltinPolicies.Get("reserve"),
                },
                seed);
            var random = new SimulationRandom(seed);
            var records = new List<TransactionRecord>();
            for (var i = 0; i < 60; i++)
            {
                var accounts = Enumerable.Range(0, 5).OrderBy(_ => random.Next()).ToArray();
                var body = random.Chance(0.5)
                    ? Transfers(accounts[0], accounts[1..])
                    : Step.Sequence(
                        Step.Update(accounts[0], -4),
                        Step.Parallel([.. accounts[1..].Select(account => Step.Update(account, 1))]),
                        Step.Read(accounts[0]));
                records.Add(
                    cluster.Submit(
                        cluster.Node(random.Next(cluster.Shape.Nodes)),
                        new TransactionSpec("Transfer", body, TimeoutMicroseconds: 20_000_000),
                        delay: random.Between(0, 20_000)));
            }

            cluster.AwaitEnd(records);
            Assert.All(records, record => Assert.Equal(Outcome.Committed, record.Outcome));
            var aborts = cluster.Alive.SelectMany(
                node => node.Engine.Statistics.AbortsByReason.Select(
                    (count, reason) => (count, Reason: (AbortReason)reason)))
                .Where(abort => abort.count > 0);
            Assert.Equal(0, cluster.Alive.Sum(node => node.Engine.Statistics.ReservationTimeouts));
            Assert.True(!aborts.Any(), $"seed {seed}: {string.Join(", ", aborts)}");
            handedOn += cluster.Alive.Sum(node => node.Engine.Statistics.HandedOn);
            givenWay += cluster.Alive.Sum(node => node.Engine.Statistics.ReservationsGivenWay);
        }

        // Messages overtake each other here.
        Assert.True(givenWay > 0);
        Assert.Equal(handOnAfter == 0, handedOn > 0);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(50)]
    [InlineData(1_000)]
    public void Between_two_silos_whose_messages_keep_their_order_nobody_has_to_give_way(int delay)
    {
        using var cluster = SimulatedCluster.Start(
            new ClusterShape
            {
                Nodes = 2, Partitions = 4, Accounts = 6, DirectoryLag = 0, Options = PatientOptions(),
                Network = new NetworkProfile { DelayMin = delay, DelayMax = delay },
                Policy = _ => BuiltinPolicies.Get("reserve"),
            },
            seed: (ulong)delay);
        var records = SubmitTransfers(cluster, seed: 1, count: 200);
        cluster.AwaitEnd(records);
        Assert.All(records, record => Assert.Equal(Outcome.Committed, record.Outcome));
        AssertNoAborts(cluster);
        Assert.True(cluster.Alive.Sum(node => node.Engine.Statistics.ReservationWaits) > 0);

        // By their age, those who come from the other silo would go ahead of those who hold something there already.
        Assert.All(cluster.Alive, node => Assert.Equal(0, node.Engine.Statistics.ReservationsGivenWay));
    }

    [Fact]
    public void A_circle_of_those_who_wait_for_each_other_is_opened_when_it_closes()
    {
        var givenWay = 0L;
        for (var seed = 1UL; seed <= 30; seed++)
        {
            using var cluster = SimulatedCluster.Start(
                new ClusterShape
                {
                    Nodes = 3, Partitions = 6, Accounts = 6, DirectoryLag = 0, Options = PatientOptions(),
                    Network = new NetworkProfile { DelayMin = 10, DelayMax = 50 + (long)(seed % 5 * 300) },
                    Policy = _ => BuiltinPolicies.Get("reserve"),
                },
                seed);
            var records = SubmitTransfers(cluster, seed, count: 60);
            cluster.AwaitEnd(records);
            Assert.All(records, record => Assert.Equal(Outcome.Committed, record.Outcome));
            AssertNoAborts(cluster);
            Assert.True(
                cluster.Loop.Now < cluster.Shape.Options.TickMicroseconds,
                $"seed {seed}: somebody has waited for a tick, until {cluster.Loop.Now}");
            givenWay += cluster.Alive.Sum(node => node.Engine.Statistics.ReservationsGivenWay);
        }

        Assert.True(givenWay > 0);
    }

    [Theory]
    [InlineData(1, false)]
    [InlineData(2, true)]
    public void Who_queues_in_another_order_at_another_silo_because_a_message_was_late_lets_an_older_one_go_first(
        int laterOnes, bool readers)
    {
        using var cluster = StartDeclared();
        var wire = new WireTap(cluster.Network);
        var isLate = false;
        wire.Drop(message =>
        {
            if (message.Kind != MessageKind.Reserve || isLate) return false;
            return isLate = true;
        });
        var older = cluster.Submit(cluster.Node(0), new TransactionSpec("Transfer", Transfers(0, 1)));
        cluster.Require(() => isLate, 1_000_000, "progress", "it must reserve");

        // They wait behind it at one silo, and hold what it is going to wait for at the other one.
        var step = readers ? Step.Sequence(Step.Update(0, 1), Step.Read(1)) : Transfers(0, 1);
        var later = Enumerable.Range(0, laterOnes)
            .Select(_ => cluster.Submit(cluster.Node(0), new TransactionSpec("Later", step))).ToArray();
        var behind = cluster.Submit(cluster.Node(1), new TransactionSpec("Behind", Step.Update(1, 1)), delay: 1_000);
        cluster.AwaitEnd([older, .. later, behind]);
        Assert.All([older, .. later, behind], record => Assert.Equal(Outcome.Committed, record.Outcome));
        AssertNoAborts(cluster);
        Assert.Equal(laterOnes, cluster.Alive.Sum(node => node.Engine.Statistics.ReservationsGivenWay));
        Assert.All(cluster.Alive, node => Assert.Equal(0, node.Engine.Statistics.ReservationTimeouts));
        AssertNothingReserved(cluster);
    }

    [Fact]
    public void Who_waits_at_one_silo_has_its_place_at_the_next_one_already()
    {
        using var cluster = StartDeclared();
        var gate = new Gate();
        var holder = cluster.Submit(
            cluster.Node(0), new TransactionSpec("Hold", Step.Sequence(Step.Wait(gate), Step.Update(0, 1))));
        cluster.Require(() => gate.Arrivals == 1, 1_000_000, "progress", "the holder must run");
        var waiting = cluster.Submit(cluster.Node(0), new TransactionSpec("Transfer", Transfers(0, 1)));
        cluster.Require(() => Queues(cluster).Count() == 2, 1_000_000, "progress", "it must queue at both");
        var after = cluster.Submit(cluster.Node(1), new TransactionSpec("After", Step.Update(1, 1)));
        cluster.Require(
            () => Queues(cluster).Sum(queue => queue.Requests.Count()) == 4,
            1_000_000,
            "progress",
            "the last must queue");
        gate.Open();
        cluster.AwaitEnd(holder, waiting, after);
        Assert.All([holder, waiting, after], record => Assert.Equal(Outcome.Committed, record.Outcome));
        AssertNoAborts(cluster);
        AssertNothingReserved(cluster);
    }

    // Nothing is repeated, and nobody is looked after, for longer than all of it takes.
    private static EngineOptions PatientOptions()
    {
        var options = ClusterShape.FastOptions();
        options.TickMicroseconds = options.ResendMicroseconds = 1_000_000;
        options.ReservationTimeoutMicroseconds = options.WaitDeadlineMicroseconds = options.DryRunTimeoutMicroseconds =
            5_000_000;
        return options;
    }

    private static List<TransactionRecord> SubmitTransfers(SimulatedCluster cluster, ulong seed, int count)
    {
        var random = new SimulationRandom(seed);
        var records = new List<TransactionRecord>();
        for (var i = 0; i < count; i++)
        {
            var accounts = Enumerable.Range(0, 5).OrderBy(_ => random.Next()).Take(2 + random.Next(4)).ToArray();
            records.Add(
                cluster.Submit(
                    cluster.Node(random.Next(cluster.Shape.Nodes)),
                    new TransactionSpec(
                        "Transfer", Transfers(accounts[0], accounts[1..]), TimeoutMicroseconds: 20_000_000),
                    delay: random.Between(0, 20_000)));
        }

        return records;
    }
}
