using Polyjuice.Contracts;
using Polyjuice.Policies;
using Polyjuice.Reservations;
using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Grains;
using Polyjuice.Simulation.Network;
using Polyjuice.Wire;
using static Polyjuice.Tests.Agents.ReservationScenes;

namespace Polyjuice.Tests.Agents;

/// <summary>Queueing at all participants in one order, before the body runs.</summary>
public class ReservationTests
{
    [Fact]
    public void Two_multi_transfers_over_the_same_accounts_in_opposite_orders_commit_without_any_abort()
    {
        using var cluster = Start();
        var forth = cluster.Submit(cluster.Node(0), new TransactionSpec("MultiTransfer", Transfers(0, 1, 2, 3, 4)));
        var back = cluster.Submit(cluster.Node(1), new TransactionSpec("MultiTransfer", Transfers(4, 3, 2, 1, 0)));
        cluster.AwaitEnd(forth, back);
        Assert.Equal((Outcome.Committed, Outcome.Committed), (forth.Outcome, back.Outcome));
        AssertNoAborts(cluster);

        // One run dry and one for real.
        Assert.Equal((2, 2), (forth.Runs.Count, back.Runs.Count));
        AssertNothingReserved(cluster);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Many_transfers_from_every_node_commit_without_any_abort(bool parallel)
    {
        using var cluster = Start();
        var records = new List<TransactionRecord>();
        for (var i = 0; i < 60; i++)
        {
            int[] accounts = [i % 6, (i + 1) % 6, (i * 5 + 3) % 6];
            var steps = accounts.Distinct()
                .Select(account => (i + account) % 4 == 0 ? Step.Read(account) : Step.Update(account, 1)).ToArray();
            records.Add(
                cluster.Submit(
                    cluster.Node(i % 3),
                    new TransactionSpec("Transfer", parallel ? Step.Parallel(steps) : Step.Sequence(steps)),
                    delay: i * 37));
        }

        cluster.AwaitEnd(records);
        Assert.All(records, record => Assert.Equal(Outcome.Committed, record.Outcome));
        AssertNoAborts(cluster);
        Assert.All(cluster.Alive, node => Assert.Equal(0, node.Engine.Statistics.AccessSetMisses));
        Assert.Equal(60, cluster.Alive.Sum(node => node.Engine.Statistics.Reservations));
        AssertNothingReserved(cluster);
    }

    [Fact]
    public void Transfers_over_the_same_accounts_in_any_order_never_abort_under_the_built_in_table()
    {
        const int Accounts = 5;
        const int Clients = 16;
        const int Each = 20;
        for (var seed = 1UL; seed <= 10; seed++)
        {
            using var cluster = SimulatedCluster.Start(
                new ClusterShape
                {
                    Nodes = 3, Partitions = 3, Accounts = Accounts, DirectoryLag = 0, KeepsToSets = true,
                    Policy = _ => BuiltinPolicies.Get("reserve"),
                },
                seed);
            var begun = new int[Clients];
            cluster.RecordEnded = record => Transfer(record.Client);
            for (var client = 0; client < Clients; client++) Transfer(client);
            cluster.Require(
                () => cluster.Records.Count == Clients * Each && cluster.Running == 0, 30_000_000, "progress",
                "all must end");
            Assert.All(cluster.Records, record => Assert.Equal(Outcome.Committed, record.Outcome));
            AssertNoAborts(cluster);
            var sum = EngineStatistics.Sum(cluster.Alive.Select(node => node.Engine.Statistics));
            Assert.Equal((Clients * Each, 0, 0), (sum.Reservations, sum.ReservationTimeouts, sum.AccessSetMisses));
            Assert.Equal(Accounts * 100, cluster.ReadAll().Sum(account => account.Balance));

            void Transfer(int client)
            {
                if (begun[client] == Each) return;
                var i = begun[client]++;
                var from = (client + i) % Accounts;
                var others = Enumerable.Range(0, Accounts).Where(account => account != from);
                var gives = others.OrderBy(account => (account * 31) ^ i).Select(account => Step.Update(account, 1));
                var body = Step.Sequence(Step.Update(from, 1 - Accounts), Step.Parallel([.. gives]), Step.Read(from));
                cluster.Submit(cluster.Node(client % 3), new TransactionSpec("Move", body), client: client);
            }
        }
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    public void A_long_queue_that_moves_is_waited_for_however_long(int state)
    {
        // A dry run sees all of what is accessed, however long its body thinks.
        var options = ClusterShape.FastOptions();
        options.DryRunTimeoutMicroseconds = options.TransactionTimeoutMicroseconds;
        using var cluster = SimulatedCluster.Start(
            new ClusterShape
            {
                Nodes = 2,
                Partitions = 2,
                Accounts = 6,
                ThinkMax = 20_000,
                DirectoryLag = 0,
                Options = options,
                Policy = _ => AdmissionPolicy.Of(PolicyAdmission.DryRunReserve, PolicyActions.ReadDirty)
            },
            seed: 1);
        var records = Enumerable.Range(0, 40)
            .Select(
                i => cluster.Submit(
                    cluster.Node(i % 2),
                    new TransactionSpec("Transfer", Step.Sequence(Step.Update(state, 1), Step.Update(2 + state, 1))),
                    delay: i))
            .ToArray();
        cluster.AwaitEnd(records);
        Assert.All(records, record => Assert.Equal(Outcome.Committed, record.Outcome));
        AssertNoAborts(cluster);

        // Several times as long as anybody may wait without a move.
        Assert.True(cluster.Loop.Now > 3 * cluster.Shape.Options.ReservationTimeoutMicroseconds, $"{cluster.Loop.Now}");
        Assert.All(
            cluster.Alive,
            node => Assert.Equal(
                (0, 0), (node.Engine.Statistics.ReservationTimeouts, node.Engine.Statistics.WaitsEndedByDeadline)));
    }

    [Theory]
    [InlineData(0, 1, 0)]
    [InlineData(0, 1, 1)]
    [InlineData(1, 0, 0)]
    [InlineData(1, 0, 1)]
    [InlineData(0, 2, 0)]
    [InlineData(0, 2, 1)]
    public void A_queue_that_stands_is_waited_for_while_the_one_that_its_holder_waits_in_moves(
        int standing, int moving, int node)
    {
        using var cluster = SimulatedCluster.Start(
            new ClusterShape
            {
                Nodes = 2,
                Partitions = 2,
                Accounts = 6,
                ThinkMax = 8_000,
                DirectoryLag = 0,
                Policy = _ => AdmissionPolicy.Of(PolicyAdmission.DryRunReserve, PolicyActions.ReadDirty)
            },
            seed: 1);
        var records = Enumerable.Range(0, 80)
            .Select(
                i => cluster.Submit(
                    cluster.Node(i % 2),
                    new TransactionSpec("Queue", Step.Sequence(Step.Update(moving, 1), Step.Update(moving, 1))),
                    delay: i))
            .ToList();
        records.Add(
            cluster.Submit(
                cluster.Node(1 - node),
                new TransactionSpec("Both", Step.Sequence(Step.Update(standing, 1), Step.Update(moving, 1))),
                delay: 100));
        records.AddRange(
            Enumerable.Range(0, 3)
                .Select(
                    i => cluster.Submit(
                        cluster.Node(node),
                        new TransactionSpec("Behind", Step.Update(standing, 1)),
                        delay: 40_000 + i)));
        cluster.AwaitEnd(records);
        Assert.All(records, record => Assert.Equal(Outcome.Committed, record.Outcome));
        Assert.True(cluster.Loop.Now > 3 * cluster.Shape.Options.ReservationTimeoutMicroseconds, $"{cluster.Loop.Now}");
        Assert.All(
            cluster.Alive,
            alive => Assert.Equal(
                (0, 0), (alive.Engine.Statistics.ReservationTimeouts, alive.Engine.Statistics.WaitsEndedByDeadline)));
        AssertNoAborts(cluster);
    }

    [Fact]
    public void Readers_share_a_reservation()
    {
        using var cluster = Start();
        var gate = new Gate();
        var records = Enumerable.Range(0, 3)
            .Select(
                i => cluster.Submit(
                    cluster.Node(i),
                    new TransactionSpec("Look", Step.Sequence(Step.Read(0), Step.If(_ => true, Step.Wait(gate))))))
            .ToArray();

        // Each once dry, once for real, at the same time.
        cluster.Require(() => gate.Arrivals == 3, 100_000, "progress", "all must have run dry");
        Assert.Empty(Queues(cluster));
        gate.Open();
        cluster.AwaitEnd(records);
        Assert.All(cluster.Alive, node => Assert.Equal(0, node.Engine.Statistics.ReservationWaits));
        AssertNoAborts(cluster);
    }

    [Fact]
    public void A_queue_survives_the_death_of_its_holders_agent()
    {
        using var cluster = Start();
        var gate = new Gate();
        var holder = cluster.Submit(
            cluster.Node(2), new TransactionSpec("Hold", Step.Sequence(Step.Update(0, 1), Step.Wait(gate))));
        cluster.Require(
            () => gate.Arrivals == 2 || Queues(cluster).Any(), 1_000_000, "progress", "the holder must reserve");
        var next = new[]
        {
            0, 1
        }.Select(node => cluster.Submit(cluster.Node(node), new TransactionSpec("Next", Step.Update(0, 1)))).ToArray();
        cluster.Require(
            () => Queues(cluster).SelectMany(queue => queue.Requests).Count() == 3,
            1_000_000,
            "progress",
            "the others must queue");
        cluster.Crash(cluster.Node(2));
        cluster.AwaitEnd(next);
        Assert.Equal(Outcome.Lost, holder.Outcome);
        Assert.All(next, record => Assert.Equal(Outcome.Committed, record.Outcome));
        Assert.All(next, record => Assert.Equal(2, record.Runs.Count));
        AssertNothingReserved(cluster);
    }

    [Theory]
    [InlineData((int)MessageKind.Reserve)]
    [InlineData((int)MessageKind.Reserved)]
    [InlineData((int)MessageKind.Sealed)]
    [InlineData((int)MessageKind.Withdraw)]
    public void A_message_that_is_lost_once_costs_time_only(int kind)
    {
        using var cluster = Start();
        var wire = new WireTap(cluster.Network);
        var lost = false;
        wire.Drop(message =>
        {
            if (message.Kind != (MessageKind)kind || lost) return false;
            return lost = true;
        });
        var records = new[]
        {
            Transfers(0, 1, 2), Transfers(2, 1, 0)
        }.Select((body, i) => cluster.Submit(cluster.Node(i), new TransactionSpec("Transfer", body))).ToArray();
        cluster.AwaitEnd(records);
        Assert.All(records, record => Assert.Equal(Outcome.Committed, record.Outcome));
        cluster.Loop.RunFor(200_000);
        AssertNothingReserved(cluster);
    }

    [Fact]
    public void Messages_that_come_twice_reserve_once()
    {
        using var cluster = Start();
        new WireTap(cluster.Network).Duplicate(message => message.Kind is MessageKind.Reserve or MessageKind.Reserved);
        var records = new[]
        {
            Transfers(0, 1, 2), Transfers(2, 1, 0), Transfers(1, 0, 2)
        }.Select((body, i) => cluster.Submit(cluster.Node(i), new TransactionSpec("Transfer", body))).ToArray();
        cluster.AwaitEnd(records);
        AssertNoAborts(cluster);
        cluster.Loop.RunFor(200_000);
        AssertNothingReserved(cluster);
    }

    [Fact]
    public void Who_waits_too_long_runs_without()
    {
        using var cluster = Start();
        var wire = new WireTap(cluster.Network);
        wire.Drop(message => message.Kind == MessageKind.Reserve);
        var record = cluster.Run(cluster.Node(0), new TransactionSpec("Transfer", Transfers(0, 1, 2)));
        Assert.Equal(Outcome.Committed, record.Outcome);
        Assert.Equal(1, cluster.Node(0).Engine.Statistics.ReservationTimeouts);
        AssertNothingReserved(cluster);
    }

    [Fact]
    public void An_access_without_a_reservation_queues_behind_those_that_have_one()
    {
        var rig = new EngineRig(AdmissionPolicy.Of(PolicyAdmission.DryRunReserve));
        var gate = new Gate();
        var order = new List<string>();
        var holder = rig.StartReconnoitred("Hold", async frame =>
        {
            if (!frame.IsReconnaissance) await gate.Arrive();
            await rig.Add(frame, 0, 1, 1);
            order.Add(frame.IsReconnaissance ? "dry" : "holder");
        });
        rig.Until(() => gate.Arrivals == 1, "the holder must run");
        var outsider = rig.Start("Outside", async frame =>
        {
            await rig.Add(frame, 0, 1, 2);
            order.Add("outsider");
        });
        var next = rig.StartReconnoitred("Next", async frame =>
        {
            await rig.Add(frame, 0, 1, 3);
            order.Add(frame.IsReconnaissance ? "dry" : "next");
        });
        Assert.Equal(3, Participants(rig).Single(p => p.Reservations is not null).Reservations!.Requests.Count());
        rig.Node.Turn(gate.Open);
        rig.End(holder);
        rig.End(outsider);
        rig.End(next);
        Assert.Equal(["dry", "dry", "holder", "outsider", "next"], order);
        Assert.Equal(0, rig.Statistics.AbortsByReason.Sum());
    }

    [Fact]
    public void An_update_that_came_before_is_ordered_while_the_holder_has_not_accessed_the_state()
    {
        var rig = new EngineRig(AdmissionPolicy.Of(PolicyAdmission.DryRunReserve));
        var (early, held) = (new Gate(), new Gate());
        var first = StartEarly(rig, early);
        var holder = rig.StartReconnoitred("Hold", async frame =>
        {
            if (!frame.IsReconnaissance) await held.Arrive();
            await rig.Add(frame, 0, 1, 2);
        });
        rig.Until(() => held.Arrivals == 1, "the holder must run");
        rig.Node.Turn(early.Open);
        rig.End(first);
        rig.Node.Turn(held.Open);
        rig.End(holder);
        Assert.Equal([1, 2], rig.Read(0).Tokens);
        Assert.Equal(0, rig.Statistics.AbortsByReason.Sum());
    }

    [Fact]
    public void An_update_that_came_before_is_not_ordered_past_a_holder_that_has_read()
    {
        var rig = new EngineRig(AdmissionPolicy.Of(PolicyAdmission.DryRunReserve));
        var (early, held) = (new Gate(), new Gate());
        var first = StartEarly(rig, early);
        var holder = rig.StartReconnoitred("Hold", async frame =>
        {
            await rig.State(0).ReadAsync(frame, state => state.Balance);
            if (!frame.IsReconnaissance) await held.Arrive();
            await rig.Add(frame, 1, 1, 2);
        });
        rig.Until(() => held.Arrivals == 1, "the holder must have read");
        rig.Node.Turn(early.Open);
        rig.Cluster.Loop.RunFor(10_000);
        Assert.False(first.IsCompleted);
        rig.Node.Turn(held.Open);
        rig.End(holder);
        rig.End(first);
        Assert.Equal(0, rig.Statistics.AbortsByReason.Sum());
    }

    [Fact]
    public void A_cycle_of_a_reservation_and_an_ordinary_wait_is_broken_at_once()
    {
        var rig = new EngineRig(AdmissionPolicy.Of(PolicyAdmission.DryRunReserve, PolicyActions.WaitForHolders));
        var (early, held) = (new Gate(), new Gate());
        var ordinary = rig.Start("Ordinary", async frame =>
        {
            await rig.Add(frame, 1, 1, 1);
            await early.Arrive();
            await rig.Add(frame, 0, 1, 1);
        });
        var holder = rig.StartReconnoitred("Hold", async frame =>
        {
            await rig.Add(frame, 0, 1, 2);
            if (!frame.IsReconnaissance) await held.Arrive();
            await rig.Add(frame, 1, 1, 2);
        });
        rig.Until(() => held.Arrivals == 1, "the holder must run");
        rig.Node.Turn(early.Open);
        rig.Node.Turn(held.Open);
        rig.End(holder);
        rig.End(ordinary);
        Assert.Equal((true, true), (holder.IsCompletedSuccessfully, ordinary.IsCompletedSuccessfully));
        Assert.Equal(1, rig.Statistics.AbortsByReason[(int)AbortReason.Deadlock]);
        Assert.Equal(0, rig.Statistics.WaitsEndedByDeadline);
    }

    [Fact]
    public void A_cycle_across_nodes_is_found_by_probes()
    {
        using var cluster = Start(PolicyActions.WaitForHolders, wait: false);
        var (early, held) = (new Gate(), new Gate());
        var ordinary = cluster.Submit(
            cluster.Node(0),
            new TransactionSpec("Ordinary", Step.Sequence(Step.Update(1, 1), Step.Wait(early), Step.Update(0, 1))),
            delay: 10);
        cluster.Require(() => early.Arrivals >= 1, 1_000_000, "progress", "it must have accessed");
        var holder = cluster.Submit(
            cluster.Node(1),
            new TransactionSpec("Hold", Step.Sequence(Step.Update(0, 1), Step.Wait(held), Step.Update(1, 1))));
        cluster.Require(() => held.Arrivals >= 1, 1_000_000, "progress", "the holder must run");
        early.Open();
        held.Open();
        cluster.AwaitEnd(ordinary, holder);
        Assert.Equal((Outcome.Committed, Outcome.Committed), (ordinary.Outcome, holder.Outcome));
        Assert.All(cluster.Alive, node => Assert.Equal(0, node.Engine.Statistics.WaitsEndedByDeadline));
    }

    [Fact]
    public void Where_the_table_leaves_it_to_the_silo_a_type_reserves_once_it_has_conflicted()
    {
        using var cluster = SimulatedCluster.Start(
            new ClusterShape
            {
                Nodes = 1,
                Partitions = 1,
                Accounts = 3,
                ThinkMax = 300,
                DirectoryLag = 0,
                Policy = _ => BuiltinPolicies.Get("auto")
            },
            seed: 1);
        var records = new List<TransactionRecord>();
        for (var i = 0; i < 9_000; i++)
            records.Add(
                cluster.Submit(
                    cluster.Node(0),
                    new TransactionSpec("Transfer", i % 2 == 0 ? Transfers(0, 1, 2) : Transfers(2, 1, 0)),
                    delay: i * 400L));
        cluster.AwaitEnd(records);
        Assert.All(records, record => Assert.Equal(Outcome.Committed, record.Outcome));
        var statistics = cluster.Node(0).Engine.Statistics;
        Assert.InRange(statistics.Reservations, 50, 8_999);
        Assert.Equal(0, statistics.WaitsEndedByDeadline);
    }
}
