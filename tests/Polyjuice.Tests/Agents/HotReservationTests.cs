using Polyjuice.Agents;
using Polyjuice.Contracts;
using Polyjuice.Policies;
using Polyjuice.Reservations;
using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Grains;
using Polyjuice.Versions;

namespace Polyjuice.Tests.Agents;

/// <summary>Where the table leaves it to the silo: of what a transaction declares, it reserves what is hot.</summary>
public class HotReservationTests
{
    [Fact]
    public void Of_what_is_declared_the_hot_is_reserved_and_nothing_else()
    {
        var rig = new EngineRig(AdmissionPolicy.Of(PolicyAdmission.Auto, PolicyActions.ReadDirty));
        var crowd = Heat(rig, 0);
        var gate = new Gate();
        var task = Start(rig, [0, 1], async frame =>
        {
            await gate.Arrive();
            await rig.Add(frame, 0, 1, 99);
            await rig.Add(frame, 1, 1, 99);
        });
        rig.Until(() => gate.Arrivals == 1, "it must come to run");
        Assert.Equal(
            [rig.Cluster.Accounts.KeyOf(0)],
            ReservationScenes.Queues(rig.Cluster).Select(queue => queue.Requests.Single().Queue)
                .Select(queue => ReservationScenes.Participants(rig).Single(known => known.Reservations == queue).Key));
        rig.Node.Turn(gate.Open);
        rig.End(task);
        rig.Node.Turn(crowd.Gate.Open);
        rig.End(crowd.Early);
        Assert.True(task.IsCompletedSuccessfully);
        Assert.Equal((1, 0, 0), (rig.Statistics.Reservations, rig.Statistics.AccessSetMisses, rig.Statistics.DryRuns));
        Assert.Equal([99], rig.Read(1).Tokens);
    }

    [Fact]
    public void Where_nothing_is_hot_nobody_asks_what_is_declared()
    {
        var rig = new EngineRig(AdmissionPolicy.Of(PolicyAdmission.Auto, PolicyActions.ReadDirty));
        var asked = 0;
        rig.End(Start(rig, new CountingAccessSet(rig, () => asked++), async frame => await rig.Add(frame, 0, 1, 1)));
        var crowd = Heat(rig, 1);
        rig.End(Start(rig, new CountingAccessSet(rig, () => asked++), async frame => await rig.Add(frame, 0, 1, 1)));
        Assert.Equal((1, 0), (asked, rig.Statistics.Reservations));
        rig.Node.Turn(crowd.Gate.Open);
        rig.End(crowd.Early);
    }

    [Fact]
    public void What_has_cooled_down_is_not_reserved_any_more()
    {
        var rig = new EngineRig(AdmissionPolicy.Of(PolicyAdmission.Auto, PolicyActions.ReadDirty));
        var crowd = Heat(rig, 0);
        rig.Node.Turn(crowd.Gate.Open);
        rig.End(crowd.Early);
        for (var i = 0; i < 100; i++) rig.Commit("Add", async frame => await rig.Add(frame, 0, 1, 1_000 + i));
        rig.End(Start(rig, [0], async frame => await rig.Add(frame, 0, 1, 99)));
        Assert.Equal(0, rig.Statistics.Reservations);
    }

    [Fact]
    public void What_nobody_comes_to_any_more_is_forgotten_though_it_never_cooled_down()
    {
        var rig = new EngineRig(AdmissionPolicy.Of(PolicyAdmission.Auto, PolicyActions.ReadDirty));
        var crowd = Heat(rig, 0);
        var engine = rig.Node.Engine;
        Assert.True(engine.Hot.Contains(rig.Cluster.Accounts.KeyOf(0)));
        rig.Cluster.Loop.RunFor(2 * HotParticipants.Lasting);
        Assert.False(engine.Hot.Any);
        rig.Node.Turn(crowd.Gate.Open);
        rig.End(crowd.Early);
    }

    [Fact]
    public void What_is_hot_still_is_after_a_pause_in_which_there_was_nothing_to_do()
    {
        var rig = new EngineRig(AdmissionPolicy.Of(PolicyAdmission.Auto, PolicyActions.ReadDirty));
        var crowd = Heat(rig, 0);
        rig.Node.Turn(crowd.Gate.Open);
        rig.End(crowd.Early);
        rig.Cluster.Loop.RunFor(10 * HotParticipants.Lasting);
        rig.Commit("Add", async frame => await rig.Add(frame, 1, 1, 98));
        rig.Cluster.Loop.RunFor(2 * HotParticipants.Interval);
        Assert.True(rig.Node.Engine.Hot.Contains(rig.Cluster.Accounts.KeyOf(0)));
        rig.End(Start(rig, [0], async frame => await rig.Add(frame, 0, 1, 99)));
        Assert.Equal(1, rig.Statistics.Reservations);
    }

    [Fact]
    public void Other_silos_hear_what_is_hot_and_their_transactions_over_it_commit()
    {
        using var cluster = SimulatedCluster.Start(
            new ClusterShape
            {
                Nodes = 3, Partitions = 3, Accounts = 30, ThinkMax = 300, DirectoryLag = 0,
                Declares = static _ => true, KeepsToSets = true, Policy = _ => BuiltinPolicies.Get("auto")
            },
            seed: 1);
        var records = new List<TransactionRecord>();
        for (var i = 0; i < 1_500; i++)
        {
            int[] accounts = [i % 2, 2 + (i % 28), 2 + ((i + 7) % 28)];
            records.Add(
                cluster.Submit(
                    cluster.Node(i % 3),
                    new TransactionSpec(
                        "Transfer", Step.Sequence([.. accounts.Select(account => Step.Update(account, 1))])),
                    delay: i * 150L));
        }

        cluster.Require(
            () => cluster.Alive.All(node => node.Engine.Hot.Contains(cluster.Accounts.KeyOf(0))),
            10_000_000,
            "progress",
            "every silo must hear of the hot account");
        cluster.AwaitEnd(records);
        Assert.All(records, record => Assert.Equal(Outcome.Committed, record.Outcome));
        Assert.All(
            cluster.Alive,
            node => Assert.InRange(node.Engine.Statistics.Reservations, 10, node.Engine.Statistics.Attempts));
        Assert.All(
            cluster.Alive,
            node => Assert.Equal(
                (0, 0), (node.Engine.Statistics.AccessSetMisses, node.Engine.Statistics.WaitsEndedByDeadline)));

        // A while in which nobody has anything to do does not count.
        cluster.Loop.RunFor(20 * HotParticipants.Lasting);
        Assert.All(cluster.Alive, node => Assert.True(node.Engine.Hot.Contains(cluster.Accounts.KeyOf(0))));
    }

    /// <summary>Many meet one at an account, who stays there until the gate is opened.</summary>
    private static (Task Early, Gate Gate) Heat(EngineRig rig, int account)
    {
        var gate = new Gate();
        var early = rig.Start("Early", async frame =>
        {
            await rig.Add(frame, account, 1, 1);
            await gate.Arrive();
        });
        rig.Until(() => gate.Arrivals >= 1, "it must have accessed the account");
        for (var i = 0; i < 20; i++) rig.Commit("Add", async frame => await rig.Add(frame, account, 1, 10 + i));
        return (early, gate);
    }

    private static Task Start(EngineRig rig, int[] accounts, Func<CallFrame, Task> body) =>
        Start(
            rig,
            new FixedAccessSet([
                .. accounts.Select(account => new DeclaredAccess(rig.Cluster.Accounts.KeyOf(account), Updates: true))
            ]),
            body);

    private static Task Start(EngineRig rig, IDeclaredAccessSet declared, Func<CallFrame, Task> body)
    {
        Task task = Task.CompletedTask;
        rig.Node.Turn(
            () => task = rig.Node.Engine.RunAsync(
                new TransactionRequest { Type = "Declared", AccessSet = declared },
                new GrainMethod("IRoot.Declared"), body, CancellationToken.None));
        return task;
    }

    private sealed class CountingAccessSet(EngineRig rig, Action asked) : IDeclaredAccessSet
    {
        public IReadOnlyList<DeclaredAccess> Of(ITransactionBody body)
        {
            asked();
            return [new DeclaredAccess(rig.Cluster.Accounts.KeyOf(0), Updates: true)];
        }
    }
}
