using Polyjuice.Contracts;
using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Grains;
using Polyjuice.Simulation.Network;
using Polyjuice.Waits;
using Polyjuice.Wire;
using static Polyjuice.Tests.Agents.LockScenes;

namespace Polyjuice.Tests.Waits;

/// <summary>
/// A wait's deadline ends waits for what stands still, and not for what is slow: whatever moves it, and wherever.
/// </summary>
public sealed class SignsOfLifeTests
{
    private const long Deadline = 500_000;

    /// <summary>The time between two steps of whoever is waited for.</summary>
    private const long Pause = 2 * Deadline / 3;

    [Fact]
    public void A_wait_for_one_whose_agent_makes_one_call_after_the_other_lasts_as_long_as_they_do()
    {
        using var cluster = Start(accounts: 12, Options());
        var asked = new WireTap(cluster.Network).Watch(static message => message.Kind == MessageKind.Alive);
        var gates = Gates(5);

        // The agent is on node 2, what is waited for on node 0, and its later calls go to node 1.
        var holder = cluster.Submit(cluster.Node(2), new TransactionSpec("Slow", Step.Sequence(
            [
                Step.Update(0),
                .. gates.SelectMany(static (gate, i) => new[] { Step.Wait(gate), Step.Update(1 + (3 * (i % 4))) })
            ])));
        Until(cluster, () => gates[0].Arrivals == 1);
        var waiter = Await(cluster, account: 0);
        foreach (var gate in gates)
        {
            Until(cluster, () => gate.Arrivals == 1);
            cluster.Loop.RunFor(Pause);
            gate.Open();
        }

        cluster.AwaitEnd(holder, waiter);
        Assert.Equal((Outcome.Committed, Outcome.Committed), (holder.Outcome, waiter.Outcome));
        Assert.Equal((0, 2), (Sum(cluster, static s => s.WaitsEndedByDeadline), Sum(cluster, static s => s.Attempts)));
        Assert.NotEmpty(asked.Taken);
    }

    [Fact]
    public void A_wait_for_one_that_stands_in_a_queue_elsewhere_lasts_while_that_queue_moves()
    {
        using var cluster = Start(accounts: 12, Options());
        var gates = Gates(5);
        var queue = new List<TransactionRecord>();
        foreach (var gate in gates)
        {
            var before = cluster.Alive.Sum(static node => node.Engine.Waits.Count);
            queue.Add(
                cluster.Submit(
                    cluster.Node(1), new TransactionSpec("Queued", Step.Sequence(Step.Update(1), Step.Wait(gate)))));
            if (gate == gates[0]) Until(cluster, () => gate.Arrivals == 1);
            else Until(cluster, () => cluster.Alive.Sum(static node => node.Engine.Waits.Count) == before + 1);
        }

        // It holds what is waited for on node 0, has its agent on node 2, and waits on node 1.
        var middle = cluster.Submit(
            cluster.Node(2), new TransactionSpec("Middle", Step.Sequence(Step.Update(0), Step.Update(1))));
        Until(cluster, () => cluster.Alive.Sum(static node => node.Engine.Waits.Count) == gates.Length);
        var waiter = Await(cluster, account: 0);
        foreach (var gate in gates)
        {
            Until(cluster, () => gate.Arrivals == 1);
            cluster.Loop.RunFor(Pause);
            gate.Open();
        }

        cluster.AwaitEnd([.. queue, middle, waiter]);
        Assert.All([.. queue, middle, waiter], static record => Assert.Equal(Outcome.Committed, record.Outcome));
        Assert.Equal(
            (0, gates.Length + 2),
            (Sum(cluster, static s => s.WaitsEndedByDeadline), Sum(cluster, static s => s.Attempts)));
    }

    [Fact]
    public void A_wait_for_one_that_stands_still_ends_by_its_deadline_however_often_it_is_asked_after()
    {
        using var cluster = Start(accounts: 12, Options());
        var asked = new WireTap(cluster.Network).Watch(static message => message.Kind == MessageKind.Alive);
        var gate = new Gate();
        var holder = cluster.Submit(
            cluster.Node(2),
            new TransactionSpec("Still", Step.Sequence(Step.Update(0), Step.Update(1), Step.Wait(gate))));
        Until(cluster, () => gate.Arrivals == 1);
        var waiter = Await(cluster, account: 0);
        cluster.Loop.RunFor(Deadline / 2 - 20_000);
        Assert.Empty(asked.Taken);
        cluster.Loop.RunFor(Deadline / 2 + 40_000);
        Assert.NotEmpty(asked.Taken);
        Assert.Equal(1, Sum(cluster, static s => s.WaitsEndedByDeadline));
        gate.Open();
        cluster.AwaitEnd(holder, waiter);
        Assert.Equal((Outcome.Committed, Outcome.Committed), (holder.Outcome, waiter.Outcome));
    }

    [Fact]
    public void What_is_asked_does_not_grow_with_those_who_wait()
    {
        Assert.InRange(Questions(waiters: 20), 1, 2 * Questions(waiters: 1));

        static int Questions(int waiters)
        {
            using var cluster = Start(accounts: 12, Options());
            var asked = new WireTap(cluster.Network).Watch(static message => message.Kind == MessageKind.Alive);
            var gate = new Gate();
            var holder = cluster.Submit(
                cluster.Node(2),
                new TransactionSpec("Holder", Step.Sequence(Step.Update(0), Step.Update(1), Step.Wait(gate))));
            Until(cluster, () => gate.Arrivals == 1);
            var all = Enumerable.Range(0, waiters)
                .Select(_ => cluster.Submit(cluster.Node(0), new TransactionSpec("Waiter", Step.Update(0)))).ToArray();
            Until(cluster, () => cluster.Node(0).Engine.Waits.Count == waiters);
            cluster.Loop.RunFor(Deadline - 50_000);
            gate.Open();
            cluster.AwaitEnd([holder, .. all]);
            Assert.Equal(0, Sum(cluster, static s => s.WaitsEndedByDeadline));
            return asked.Taken.Count;
        }
    }

    private static EngineOptions Options()
    {
        var options = PatientOptions();
        options.WaitDeadlineMicroseconds = Deadline;
        options.ReservationTimeoutMicroseconds = Math.Min(options.ReservationTimeoutMicroseconds, Deadline / 2);
        return options;
    }

    private static Gate[] Gates(int count) => [.. Enumerable.Range(0, count).Select(static _ => new Gate())];

    /// <summary>One that begins to wait for the account on the account's node.</summary>
    private static TransactionRecord Await(SimulatedCluster cluster, int account)
    {
        var before = cluster.Node(account % 3).Engine.Waits.Count;
        var waiter = cluster.Submit(cluster.Node(account % 3), new TransactionSpec("Waiter", Step.Update(account)));
        Until(cluster, () => cluster.Node(account % 3).Engine.Waits.Count == before + 1);
        return waiter;
    }
}
