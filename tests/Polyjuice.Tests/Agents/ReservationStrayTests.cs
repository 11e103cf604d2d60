using Polyjuice.Contracts;
using Polyjuice.Policies;
using Polyjuice.Reservations;
using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Grains;
using Polyjuice.Simulation.Network;
using static Polyjuice.Tests.Agents.ReservationScenes;

namespace Polyjuice.Tests.Agents;

/// <summary>Transactions that access what they have not reserved.</summary>
public class ReservationStrayTests
{
    [Fact]
    public void Who_strays_from_its_set_makes_nobody_abort_that_keeps_to_it()
    {
        for (var seed = 1UL; seed <= 30; seed++)
        {
            using var cluster = SimulatedCluster.Start(
                new ClusterShape
                {
                    Nodes = 2,
                    Partitions = 3,
                    Accounts = 6,
                    DirectoryLag = 0,
                    Network = new NetworkProfile { DelayMin = 10, DelayMax = 400 },
                    Policy = _ => BuiltinPolicies.Get("reserve")
                },
                seed);
            var random = new SimulationRandom(seed);
            var keepers = new List<TransactionRecord>();
            var strays = new List<TransactionRecord>();
            for (var i = 0; i < 40; i++)
            {
                var accounts = Enumerable.Range(0, 6).OrderBy(_ => random.Next()).ToArray();
                var node = cluster.Node(random.Next(2));
                if (i % 2 == 0)
                    keepers.Add(
                        cluster.Submit(
                            node,
                            new TransactionSpec("Transfer", Transfers(accounts[0], accounts[1..])),
                            delay: i * 100));
                else strays.Add(cluster.Submit(node, Straying(accounts), delay: i * 100));
            }

            cluster.AwaitEnd(keepers.Concat(strays));
            Assert.All(keepers, record => Assert.Equal((Outcome.Committed, 2), (record.Outcome, record.Runs.Count)));
            Assert.All(strays, record => Assert.Equal(Outcome.Committed, record.Outcome));
            var conflicts = cluster.Alive.SelectMany(
                node => node.Engine.Statistics.AbortsByReason.Select(
                    (count, reason) => (count, Reason: (AbortReason)reason)))
                .Where(abort => abort.count > 0 && abort.Reason.IsConflict());
            Assert.True(!conflicts.Any(), $"seed {seed}: {string.Join(", ", conflicts)}");
        }
    }

    [Fact]
    public void Who_has_strayed_reserves_what_it_has_come_to_before_it_runs_again()
    {
        var rig = new EngineRig(AdmissionPolicy.Of(PolicyAdmission.DryRunReserve));
        var (holder, gate) = StartHolder(rig);
        var runs = 0;
        var stray = rig.StartReconnoitred("Stray", async frame =>
        {
            var isFirst = runs++ == 0;
            await rig.Add(frame, 1, 1, 2);
            if (!isFirst) await rig.Add(frame, 0, 1, 2);
        });
        rig.Until(
            () => Participants(rig).Any(p => p.Reservations?.Requests.Count() == 2),
            "it must queue behind the holder");
        Assert.Equal(1, rig.Statistics.AbortsByReason[(int)AbortReason.AccessSetMiss]);
        rig.Node.Turn(gate.Open);
        rig.End(holder);
        rig.End(stray);

        // Dry, for real until it strays, dry again, and for real.
        Assert.Equal((4, 1, 1), (runs, rig.Statistics.AbortsByReason.Sum(), rig.Statistics.AccessSetMisses));
        Assert.Equal([1, 2], rig.Read(0).Tokens);
    }

    [Fact]
    public void What_was_not_planned_and_is_free_is_held_from_then_on()
    {
        var rig = new EngineRig(AdmissionPolicy.Of(PolicyAdmission.DryRunReserve));
        var gate = new Gate();
        var runs = 0;
        var stray = rig.StartReconnoitred("Stray", async frame =>
        {
            await rig.Add(frame, 1, 1, 1);
            if (runs++ == 0) return;
            await rig.Add(frame, 0, 1, 1);
            await gate.Arrive();
        });
        rig.Until(() => gate.Arrivals == 1, "it must have strayed");
        var next = rig.StartReconnoitred("Next", async frame => await rig.Add(frame, 0, 1, 2));
        rig.Until(() => Participants(rig).Any(p => p.Reservations?.Requests.Count() == 2), "the next must queue");
        rig.Node.Turn(gate.Open);
        rig.End(stray);
        rig.End(next);
        Assert.Equal(0, rig.Statistics.AbortsByReason.Sum());
        Assert.Equal([1, 2], rig.Read(0).Tokens);
    }

    [Fact]
    public void What_changes_with_every_run_is_run_without_reservations_in_the_end()
    {
        var rig = new EngineRig(AdmissionPolicy.Of(PolicyAdmission.DryRunReserve));
        var (holder, gate) = StartHolder(rig);
        var stray = rig.StartReconnoitred("Stray", async frame =>
        {
            await rig.Add(frame, 1, 1, 2);
            if (!frame.IsReconnaissance) await rig.Add(frame, 0, 1, 2);
        });
        // The holder has not come there: then who does not reserve goes past.
        rig.End(stray);
        Assert.Equal(4, rig.Statistics.AbortsByReason[(int)AbortReason.AccessSetMiss]);
        rig.Node.Turn(gate.Open);
        rig.End(holder);
        Assert.Equal([2, 1], rig.Read(0).Tokens);
        Assert.Equal(4, rig.Statistics.AbortsByReason.Sum());
    }

    [Fact]
    public void An_access_outside_of_the_set_follows_ordinary_rows_and_is_counted()
    {
        var rig = new EngineRig(AdmissionPolicy.Of(PolicyAdmission.DryRunReserve));
        var task = rig.StartReconnoitred("Wander", async frame =>
        {
            await rig.Add(frame, 0, 1, 1);
            if (!frame.IsReconnaissance) await rig.Add(frame, 1, 1, 1);
        });
        rig.End(task);
        Assert.True(task.IsCompletedSuccessfully);
        Assert.Equal(1, rig.Statistics.AccessSetMisses);
        Assert.True(rig.Node.Engine.Reservations.Counts.AccessSetMissShare("Wander") is > 0 and < 0.1);
        Assert.Equal(0, rig.Node.Engine.Reservations.Counts.AccessSetMissShare("Nobody"));
    }

    [Fact]
    public void An_access_outside_of_the_set_at_another_node_is_counted_at_the_agent()
    {
        using var cluster = Start();
        var runs = 0;
        var body = Step.Sequence(Step.Update(0, 1), Step.If(_ => runs++ > 0, Step.Update(1, 1)));
        var record = cluster.Run(cluster.Node(0), new TransactionSpec("Wander", body));
        Assert.Equal(Outcome.Committed, record.Outcome);
        Assert.Equal(2, runs);
        Assert.Equal(1, cluster.Node(0).Engine.Statistics.AccessSetMisses);
    }

    /// <summary>Comes to one account alone when it runs dry the first time, and to the others from then on.</summary>
    private static TransactionSpec Straying(int[] accounts)
    {
        var runs = 0;
        return new TransactionSpec(
            "Stray",
            Step.Sequence(
                Step.Update(accounts[0], -1),
                Step.If(
                    _ => runs++ > 0, Step.Parallel([.. accounts[1..4].Select(account => Step.Update(account, 1))]))));
    }
}
