using Polyjuice.Contracts;
using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Grains;
using Polyjuice.Waits;
using static Polyjuice.Tests.Agents.LockScenes;

namespace Polyjuice.Tests.Agents;

/// <summary>
/// Hundreds that wait for one state, agents and state on different
/// nodes: what a queue costs must not grow with its square.
/// </summary>
public sealed class HotQueueTests
{
    private const int Waiters = 400;
    private const int Hot = 0;

    [Fact]
    public void A_queue_of_hundreds_costs_each_of_them_a_bounded_search_for_cycles()
    {
        using var cluster = Locks();
        var gate = new Gate();
        var holder = cluster.Submit(
            cluster.Node(1), new TransactionSpec("Hold", Step.Sequence(Step.Update(Hot), Step.Wait(gate))));
        Until(cluster, () => gate.Arrivals == 1);
        var queued = Queue(cluster);
        Until(cluster, () => cluster.Node(0).Engine.Waits.Count == Waiters);

        // Far longer than any interval of probes.
        cluster.Loop.RunFor(100_000);
        gate.Open();
        cluster.AwaitEnd([holder, .. queued]);
        Assert.All(queued, record => Assert.Equal(Outcome.Committed, record.Outcome));
        Assert.Equal(0, Sum(cluster, s => s.WaitsEndedByDeadline));
        Assert.Equal(Waiters + 1, Sum(cluster, s => s.Attempts));
        Assert.Equal(Waiters, Sum(cluster, s => s.Waits));
        Assert.InRange(Sum(cluster, s => s.WaitSteps), 1, 4 * Waiters);
        Assert.InRange(Sum(cluster, s => s.ProbesSent), 1, Waiters);
    }

    [Fact]
    public void A_cycle_across_nodes_ahead_of_a_queue_of_hundreds_dooms_its_youngest_soon_and_nobody_else()
    {
        using var cluster = Locks();
        var (first, second) = (new Gate(), new Gate());
        var old = cluster.Submit(
            cluster.Node(1),
            new TransactionSpec("Old", Step.Sequence(Step.Update(Hot), Step.Wait(first), Step.Update(2))));
        Until(cluster, () => first.Arrivals == 1);
        cluster.Loop.RunFor(1_000);
        var young = cluster.Submit(
            cluster.Node(2),
            new TransactionSpec(
                "Young", Step.Sequence(Step.Update(2), Step.Wait(second), Step.Update(Hot)), MaxAttempts: 1));
        Until(cluster, () => second.Arrivals == 1);
        var queued = Queue(cluster);
        Until(cluster, () => cluster.Node(0).Engine.Waits.Count == Waiters);
        second.Open();
        Until(cluster, () => cluster.Node(0).Engine.Waits.Count == Waiters + 1);
        first.Open();
        var closed = cluster.Loop.Now;
        cluster.AwaitEnd(young);
        Assert.InRange(cluster.Loop.Now - closed, 0, 40_000);
        Assert.Equal(AbortReason.Deadlock, young.Abort?.Reason);
        cluster.AwaitEnd([old, .. queued]);
        Assert.All([old, .. queued], record => Assert.Equal(Outcome.Committed, record.Outcome));
        Assert.Equal(0, Sum(cluster, s => s.WaitsEndedByDeadline));
        Assert.Equal(Waiters + 2, Sum(cluster, s => s.Attempts));
        Assert.InRange(Sum(cluster, s => s.WaitSteps), 1, 8 * Waiters);
        Assert.InRange(Sum(cluster, s => s.ProbesSent), 1, Waiters);
    }

    [Fact]
    public void A_cycle_through_a_member_of_a_queue_that_also_waits_elsewhere_is_found()
    {
        // Its first call was made before anything ran beside it, and its place in the queue is not the queue's head.
        using var cluster = Locks();
        var (held, before) = (new Gate(), new Gate());
        var holder = cluster.Submit(
            cluster.Node(1), new TransactionSpec("Hold", Step.Sequence(Step.Update(Hot), Step.Wait(held))));
        Until(cluster, () => held.Arrivals == 1);
        var other = cluster.Submit(
            cluster.Node(2),
            new TransactionSpec(
                "Other", Step.Sequence(Step.Update(2), Step.Wait(before), Step.Update(Hot)), MaxAttempts: 1));
        Until(cluster, () => before.Arrivals == 1);
        cluster.Loop.RunFor(1_000);
        var both = cluster.Submit(
            cluster.Node(1),
            new TransactionSpec(
                "Both",
                Step.Parallel(Step.Update(Hot), Step.Sequence(Step.Pause(10_000), Step.Update(2))),
                MaxAttempts: 1));
        Until(cluster, () => cluster.Node(0).Engine.Waits.Count == 1);
        before.Open();
        cluster.AwaitEnd(both);
        Assert.Equal(AbortReason.Deadlock, both.Abort?.Reason);
        held.Open();
        cluster.AwaitEnd(holder, other);
        Assert.All([holder, other], record => Assert.Equal(Outcome.Committed, record.Outcome));
        Assert.Equal(0, Sum(cluster, s => s.WaitsEndedByDeadline));
    }

    [Fact]
    public void A_hot_state_is_held_for_two_messages_after_its_access()
    {
        // The answer to the call, and the prepare: that its participant is the
        // last to order the transaction, it knows without being told again.
        using var cluster = Locks();
        var gate = new Gate();
        var holder = cluster.Submit(
            cluster.Node(1),
            new TransactionSpec("Hold", Step.Sequence(Step.Update(1), Step.Update(Hot), Step.Wait(gate))));
        Until(cluster, () => gate.Arrivals == 1);
        var queued = Queue(cluster, agents: 1);
        Until(cluster, () => cluster.Node(0).Engine.Waits.Count == Waiters);
        gate.Open();
        var opened = cluster.Loop.Now;
        cluster.AwaitEnd([holder, .. queued]);
        Assert.All(queued, record => Assert.Equal(Outcome.Committed, record.Outcome));

        // And then one append, for the last of them.
        Assert.InRange(cluster.Loop.Now - opened, Waiters * 2 * MessageDelay, (Waiters * 2 * MessageDelay) + 10_000);
    }

    private static SimulatedCluster Locks() => Start(accounts: 3 * (Waiters + 2), PatientOptions());

    /// <summary>Each has a grain of its own on another node first, as a transfer has.</summary>
    private static TransactionRecord[] Queue(SimulatedCluster cluster, int agents = 2) =>
        [
            .. Enumerable.Range(1, Waiters)
            .Select(
                i => cluster.Submit(
                    cluster.Node(1 + (i % agents)),
                    new TransactionSpec("Queue", Step.Sequence(Step.Update((3 * i) + 1), Step.Update(Hot)))))
        ];
}
