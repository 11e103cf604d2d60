using Polyjuice.Agents;
using Polyjuice.Contracts;
using Polyjuice.Policies;
using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Grains;
using Polyjuice.Simulation.Network;
using Polyjuice.Simulation.Storage;
using Polyjuice.Versions;
using Polyjuice.Waits;

namespace Polyjuice.Tests.Agents;

/// <summary>Wait-die and wound-wait: age decides a conflict with a holder as soon as it is found.</summary>
public sealed class HolderConflictTests
{
    private const PolicyActions Die = PolicyActions.WaitForHolders | PolicyActions.Die;
    private const PolicyActions Wound = PolicyActions.WaitForHolders | PolicyActions.Wound;

    [Fact]
    public void Under_wait_die_the_younger_that_comes_second_aborts_at_once()
    {
        var (rig, held) = Held(Die);
        var young = rig.Run("Young", async frame => await rig.Add(frame, 0, 1, 2), maxAttempts: 1);
        var abort = EngineRig.AbortOf(young).Abort;
        Assert.Equal((AbortReason.Yielded, "Hold", true), (abort.Reason, abort.OtherType, abort.IsRetriable));
        Assert.Equal(0, rig.Statistics.Waits);
        held.End();
        Assert.Equal([1], rig.Read(0).Tokens);
    }

    [Fact]
    public void Under_wait_die_the_older_that_comes_second_waits()
    {
        var (rig, old, young, held) = OlderComesSecond(Die);
        rig.Until(() => rig.Node.Engine.Waits.Count == 1, "the older must wait");
        held.Open();
        rig.End(old);
        rig.End(young);
        Assert.True(old.IsCompletedSuccessfully && young.IsCompletedSuccessfully);
        Assert.Equal([2, 1], rig.Read(0).Tokens);
    }

    [Fact]
    public void Who_has_yielded_keeps_its_age_and_commits_once_the_older_is_through()
    {
        var (rig, held) = Held(Die);
        var young = rig.Start("Young", async frame => await rig.Add(frame, 0, 1, 2));
        rig.Until(() => rig.Statistics.AbortsByReason[(int)AbortReason.Yielded] >= 2, "it must try and yield");
        held.End();
        rig.End(young);
        Assert.True(young.IsCompletedSuccessfully);
        Assert.Equal([1, 2], rig.Read(0).Tokens);
    }

    [Fact]
    public void Under_wound_wait_the_older_that_comes_second_aborts_the_younger_holder()
    {
        var (rig, old, young, held) = OlderComesSecond(Wound);

        // The holder's body has not been told to go on yet.
        rig.End(old);
        Assert.True(old.IsCompletedSuccessfully);
        held.Open();
        rig.End(young);
        var abort = EngineRig.AbortOf(young).Abort;
        Assert.Equal((AbortReason.Wounded, "Old", true), (abort.Reason, abort.OtherType, abort.IsRetriable));
        Assert.Equal([1], rig.Read(0).Tokens);
    }

    [Fact]
    public void Under_wound_wait_the_younger_that_comes_second_waits()
    {
        var (rig, held) = Held(Wound);
        var young = rig.Start("Young", async frame => await rig.Add(frame, 0, 1, 2), maxAttempts: 1);
        rig.Until(() => rig.Node.Engine.Waits.Count == 1, "the younger must wait");
        held.End();
        rig.End(young);
        Assert.True(young.IsCompletedSuccessfully);
        Assert.Equal([1, 2], rig.Read(0).Tokens);
    }

    [Fact]
    public void Two_readers_that_both_go_on_to_update_are_told_apart_by_age()
    {
        foreach (var actions in new[] { Die, Wound })
        {
            var rig = Rig(actions);
            var (first, second) = (new Gate(), new Gate());
            var old = rig.Start("Old", ReadThenAdd(rig, first, 1));
            rig.Cluster.Loop.RunFor(100);
            var young = rig.Start("Young", ReadThenAdd(rig, second, 2));
            rig.Until(() => first.Arrivals == 1 && second.Arrivals == 1, "both must read");
            first.Open();
            second.Open();
            rig.End(old);
            rig.End(young);
            Assert.Equal([1, 2], rig.Read(0).Tokens);
            Assert.Equal(0, rig.Statistics.AbortsByReason[(int)AbortReason.Deadlock]);
            Assert.Equal(0, rig.Statistics.WaitsEndedByDeadline);
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void The_queue_serves_the_youngest_first_under_wait_die_and_the_oldest_under_wound_wait(bool wounds)
    {
        var conflict = wounds ? PolicyActions.Wound : PolicyActions.Die;
        var rig = new EngineRig();
        var participant = rig.Node.Engine.Partitions.All.Single().GetParticipant(rig.Cluster.Accounts.KeyOf(0));
        var places = new[] { 3, 1, 2 }.ToDictionary(
            age => age, age => participant.Enqueue(Transaction(rig, age), AccessKind.Update, conflict));
        var order = wounds ? new[] { 1, 2, 3 } : [3, 2, 1];
        for (var i = 0; i < order.Length; i++)
        {
            var ahead = participant.Blocker(places[order[i]].Transaction, AccessKind.Update, places[order[i]]);
            Assert.Same(i == 0 ? null : places[order[i - 1]].Transaction, ahead);
        }

        // Nobody goes ahead of those for whom age does not decide.
        var patient = participant.Enqueue(Transaction(rig, 5), AccessKind.Update);
        foreach (var age in new[] { 4, 6 })
        {
            var late = participant.Enqueue(Transaction(rig, age), AccessKind.Update, conflict);
            Assert.Same(patient, late.Previous);
            participant.Dequeue(late);
        }

        foreach (var place in places.Values.Append(patient)) participant.Dequeue(place);
        Assert.Null(participant.Blocker(Transaction(rig, 7), AccessKind.Update));
    }

    [Fact]
    public void Under_wait_die_a_reader_yields_rather_than_pass_an_older_update_that_waits()
    {
        var rig = Rig(Die);
        var (old, reader, held) = OlderUpdateWaitsForReader(rig);
        var late = rig.Run(
            "Late", async frame => await rig.State(0).ReadAsync(frame, state => state.Balance), maxAttempts: 1);
        Assert.Equal(AbortReason.Yielded, EngineRig.AbortOf(late).Abort.Reason);
        held.Open();
        rig.End(old);
        rig.End(reader);
        Assert.True(old.IsCompletedSuccessfully && reader.IsCompletedSuccessfully);
    }

    [Fact]
    public void Who_is_being_ordered_is_waited_for_and_not_wounded()
    {
        // The younger holds at node 0 and has its agent at node 1,
        // whose prepare has been answered here, but not yet there.
        var (cluster, old, young, start, held) = HeldFromElsewhere(attemptsMax: 1);
        held.Open();
        cluster.Require(
            () => IsOrdered(cluster, "Young"), 1_000_000, "progress", "the younger must be ordered where it holds");
        start.Open();
        cluster.Require(() => cluster.Node(0).Engine.Waits.Count == 1, 1_000_000, "progress", "the older must wait");
        Assert.Null(cluster.Node(0).Engine.Transactions.Find(young.LastAttempt)!.Doom);
        cluster.AwaitEnd(old, young);
        Assert.Equal((Outcome.Committed, Outcome.Committed), (old.Outcome, young.Outcome));
        Assert.Equal(0, cluster.Alive.Sum(node => node.Engine.Statistics.AbortsByReason[(int)AbortReason.Wounded]));
    }

    [Fact]
    public void Who_has_ended_its_body_and_is_to_be_ordered_behind_another_is_not_wounded()
    {
        var rig = new EngineRig(new SitePolicy("by state", static site =>
            site.State.StartsWith("Account", StringComparison.Ordinal)
                ? PolicyActions.ReadDirty | PolicyActions.WritePublic
                : Wound));

        // Policies know only sites that were seen.
        rig.Commit("Move", async frame =>
        {
            await rig.Add(frame, 0, 0, 0);
            await rig.Add(frame, 2, 0, 0);
        });
        var (start, held) = (new Gate(), new Gate());
        var old = rig.Start("Move", async frame =>
        {
            await start.Arrive();
            await rig.Add(frame, 2, 1, 1);
        }, maxAttempts: 1);
        rig.Cluster.Loop.RunFor(100);
        var writer = rig.Start("Move", async frame =>
        {
            await rig.Add(frame, 0, 1, 2);
            await held.Arrive();
        }, maxAttempts: 1);
        rig.Until(() => held.Arrivals == 1, "the writer must have exposed what it wrote");
        var young = rig.Start("Move", async frame =>
        {
            await rig.Add(frame, 0, 1, 3);
            await rig.Add(frame, 2, 1, 3);
        }, maxAttempts: 1);
        rig.Until(() => rig.Node.Engine.Waits.Count == 1, "the younger must wait for the writer to be ordered");
        start.Open();
        rig.Until(() => rig.Node.Engine.Waits.Count == 2, "the older must wait for the younger");
        held.Open();
        foreach (var task in new[] { old, writer, young })
        {
            rig.End(task);
            Assert.True(task.IsCompletedSuccessfully, task.Exception?.ToString());
        }

        Assert.Equal([0, 3, 1], rig.Read(2).Tokens);
    }

    [Fact]
    public void One_whose_agent_is_elsewhere_is_wounded_and_runs_again()
    {
        var (cluster, old, young, start, held) = HeldFromElsewhere(attemptsMax: 0);
        start.Open();
        cluster.AwaitEnd(old);
        held.Open();
        cluster.AwaitEnd(young);
        Assert.Equal((Outcome.Committed, Outcome.Committed), (old.Outcome, young.Outcome));
        Assert.Equal(1, cluster.Node(1).Engine.Statistics.AbortsByReason[(int)AbortReason.Wounded]);
    }

    [Fact]
    public void Who_has_reserved_waits_for_an_older_holder_whatever_its_row_says()
    {
        var rig = new EngineRig(AdmissionPolicy.Of(PolicyAdmission.DryRunReserve, Die));
        var gate = new Gate();
        var holder = rig.Start("Hold", Hold(rig, 0, 1, gate), maxAttempts: 1);
        rig.Until(() => gate.Arrivals == 1, "the holder must hold");
        rig.Cluster.Loop.RunFor(100);
        var reserved = rig.StartReconnoitred("Reserved", async frame => await rig.Add(frame, 0, 1, 2));
        rig.Until(() => rig.Node.Engine.Waits.Count == 1, "it must wait");
        gate.Open();
        rig.End(holder);
        rig.End(reserved);
        Assert.True(holder.IsCompletedSuccessfully && reserved.IsCompletedSuccessfully);
        Assert.Equal((0, 1), (rig.Statistics.AbortsByReason.Sum(), rig.Statistics.Reservations));
        Assert.Equal([1, 2], rig.Read(0).Tokens);
    }

    [Fact]
    public void Who_has_reserved_passes_an_older_one_that_waits_whatever_its_row_says()
    {
        var rig = new EngineRig(AdmissionPolicy.Of(PolicyAdmission.DryRunReserve, Die));
        var (old, reader, held) = OlderUpdateWaitsForReader(rig);
        var reserved = rig.StartReconnoitred(
            "Reserved", async frame => await rig.State(0).ReadAsync(frame, state => state.Balance));
        rig.End(reserved);
        Assert.True(reserved.IsCompletedSuccessfully);
        Assert.Equal((0, 1), (rig.Statistics.AbortsByReason.Sum(), rig.Statistics.Reservations));
        held.Open();
        rig.End(old);
        rig.End(reader);
        Assert.True(old.IsCompletedSuccessfully && reader.IsCompletedSuccessfully);
    }

    private static bool IsOrdered(SimulatedCluster cluster, string type)
    {
        var accessors =
            cluster.Node(0).Engine.Partitions.All.Single().GetParticipant(cluster.Accounts.KeyOf(0)).Accessors;
        return accessors.Count == 1
            && cluster.Node(0).Engine.Partitions.All.Single()
                .Find(accessors[0].Branch) is { State: BranchState.Ordered or BranchState.Logged } branch
            && branch.Transaction.Type == type;
    }

    private static EngineRig Rig(PolicyActions actions) => new(new FixedPolicy("age", actions));

    /// <summary>
    /// An older one that wants account 0, on node 0, when it is told to, and a younger one, of an agent on node 1, that
    /// holds it and some others. Grains 0 and 3 live on node 0, 1 on node 1, 2 on node 2.
    /// </summary>
    private static (
        SimulatedCluster Cluster, TransactionRecord Old, TransactionRecord Young, Gate Start,
        Gate Held) HeldFromElsewhere(
        int attemptsMax)
    {
        var cluster = SimulatedCluster.Start(
            new ClusterShape
            {
                Nodes = 3, Partitions = 3, Accounts = 6, ThinkMax = 0, DirectoryLag = 0,
                Options = ClusterShape.FastOptions(), Policy = _ => new FixedPolicy("age", Wound),
                Network = new NetworkProfile { DelayMin = 100, DelayMax = 100 },
                Storage = new StorageProfile { DelayMin = 200, DelayMax = 200 },
            },
            seed: 1);
        var (start, held) = (new Gate(), new Gate());
        var old = cluster.Submit(
            cluster.Node(0),
            new TransactionSpec(
                "Old", Step.Sequence(Step.Update(3), Step.Wait(start), Step.Update(0)), MaxAttempts: 1));
        cluster.Require(() => start.Arrivals == 1, 1_000_000, "progress", "the older must begin");
        cluster.Loop.RunFor(1_000);
        var young = cluster.Submit(
            cluster.Node(1),
            new TransactionSpec(
                "Young",
                Step.Sequence(Step.Update(0), Step.Update(1), Step.Update(2), Step.Wait(held)),
                MaxAttempts: attemptsMax));
        cluster.Require(() => held.Arrivals == 1, 1_000_000, "progress", "the younger must hold");
        return (cluster, old, young, start, held);
    }

    /// <summary>A younger one has read account 0 and goes on, and an older one waits to update it.</summary>
    private static (Task Old, Task Reader, Gate Held) OlderUpdateWaitsForReader(EngineRig rig)
    {
        var (start, held) = (new Gate(), new Gate());
        var old = rig.Start("Old", async frame =>
        {
            await start.Arrive();
            await rig.Add(frame, 0, 1, 1);
        }, maxAttempts: 1);
        rig.Cluster.Loop.RunFor(100);
        var reader = rig.Start("Reader", async frame =>
        {
            await rig.State(0).ReadAsync(frame, state => state.Balance);
            await held.Arrive();
        }, maxAttempts: 1);
        start.Open();
        rig.Until(() => rig.Node.Engine.Waits.Count == 1, "the update must wait for the reader");
        return (old, reader, held);
    }

    /// <summary>A younger one holds account 0, and an older one has come to it.</summary>
    private static (EngineRig Rig, Task Old, Task Young, Gate Held) OlderComesSecond(PolicyActions actions)
    {
        var rig = Rig(actions);
        var (start, held) = (new Gate(), new Gate());
        var old = rig.Start("Old", async frame =>
        {
            await rig.Add(frame, 1, 1, 1);
            await start.Arrive();
            await rig.Add(frame, 0, 1, 1);
        }, maxAttempts: 1);
        rig.Cluster.Loop.RunFor(100);
        var young = rig.Start("Young", Hold(rig, 0, 2, held), maxAttempts: 1);
        start.Open();
        return (rig, old, young, held);
    }

    /// <summary>An older one holds account 0 until it is told to end.</summary>
    private static (EngineRig Rig, Holder Holder) Held(PolicyActions actions)
    {
        var rig = Rig(actions);
        var gate = new Gate();
        var task = rig.Start("Hold", Hold(rig, 0, 1, gate), maxAttempts: 1);
        rig.Until(() => gate.Arrivals == 1, "the holder must hold");
        rig.Cluster.Loop.RunFor(100);
        return (rig, new Holder(rig, gate, task));
    }

    private static Func<CallFrame, Task> Hold(EngineRig rig, int account, long token, Gate gate) => async frame =>
    {
        await rig.Add(frame, account, 1, token);
        await gate.Arrive();
    };

    private static Func<CallFrame, Task> ReadThenAdd(EngineRig rig, Gate gate, long token) => async frame =>
    {
        await rig.State(0).ReadAsync(frame, state => state.Balance);
        await gate.Arrive();
        await rig.Add(frame, 0, 1, token);
    };

    private static LocalTransaction Transaction(EngineRig rig, long age) =>
        new(new TransactionId(new NodeId(9), age), "T", 0, rig.Node.Policies.Current) { FirstAttempt = age };

    private sealed record Holder(EngineRig Rig, Gate Gate, Task Task)
    {
        public void End()
        {
            Gate.Open();
            Rig.End(Task);
            Assert.True(Task.IsCompletedSuccessfully);
        }
    }
}
