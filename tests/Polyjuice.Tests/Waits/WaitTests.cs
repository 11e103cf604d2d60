using Polyjuice.Agents;
using Polyjuice.Contracts;
using Polyjuice.Partitions;
using Polyjuice.Policies;
using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Grains;
using Polyjuice.Tests.Agents;
using Polyjuice.Versions;
using Polyjuice.Waits;

namespace Polyjuice.Tests.Waits;

public sealed class WaitTests
{
    private readonly List<string> _order = [];

    [Fact]
    public void Those_who_wait_for_holders_are_served_in_the_order_of_arrival()
    {
        var (rig, participant) = Participant();
        var (holder, first, second, reader) =
            (Transaction(rig, 1), Transaction(rig, 2), Transaction(rig, 3), Transaction(rig, 4));
        participant.List(Branch(participant, holder), AccessKind.Update, listed: false);
        Assert.Same(holder, participant.Blocker(first, AccessKind.Update));
        var place = participant.Enqueue(first, AccessKind.Update);
        Assert.Same(holder, participant.Blocker(first, AccessKind.Update, place));
        Assert.Same(first, participant.Blocker(second, AccessKind.Update));
        var next = participant.Enqueue(second, AccessKind.Read);
        Assert.Same(first, participant.Blocker(second, AccessKind.Read, next));
        Assert.Same(first, participant.Blocker(reader, AccessKind.Read));
        Assert.Same(second, participant.Blocker(reader, AccessKind.Update));
        participant.Unlist(Branch(participant, holder));
        Assert.Null(participant.Blocker(first, AccessKind.Update, place));
        participant.Dequeue(place);
        Assert.Null(participant.Blocker(second, AccessKind.Read, next));
        Assert.Null(participant.Blocker(reader, AccessKind.Read));
    }

    [Fact]
    public void Readers_share_and_an_upgrade_waits_for_the_others_but_not_in_the_queue()
    {
        var (rig, participant) = Participant();
        var (one, two, queued) = (Transaction(rig, 1), Transaction(rig, 2), Transaction(rig, 3));
        participant.List(Branch(participant, one), AccessKind.Read, listed: true);
        Assert.Null(participant.Blocker(two, AccessKind.Read));
        participant.Enqueue(queued, AccessKind.Update);
        Assert.Same(queued, participant.Blocker(two, AccessKind.Read));
        Assert.Null(participant.Blocker(one, AccessKind.Update));
        participant.Enqueue(one, AccessKind.Update);
        Assert.Null(participant.Blocker(one, AccessKind.Update));
        participant.List(Branch(participant, two), AccessKind.Read, listed: true);
        Assert.Same(two, participant.Blocker(one, AccessKind.Update));
    }

    [Fact]
    public void Who_goes_past_the_queue_is_not_waited_for_by_those_whom_it_has_passed()
    {
        var (rig, participant) = Participant();
        var (before, waiting, past, turn) =
            (Transaction(rig, 1), Transaction(rig, 2), Transaction(rig, 3), Transaction(rig, 4));
        participant.List(Branch(participant, before), AccessKind.Update, listed: false);
        var place = participant.Enqueue(waiting, AccessKind.Update);
        participant.List(Branch(participant, past), AccessKind.Update, listed: false);
        Assert.Same(before, participant.Blocker(waiting, AccessKind.Update, place));
        participant.Unlist(Branch(participant, before));
        Assert.Null(participant.Blocker(waiting, AccessKind.Update, place));

        // One that has waited its turn was ahead of it, and who comes later waits for all.
        participant.List(Branch(participant, turn), AccessKind.Update, listed: false, place: 0);
        Assert.Same(turn, participant.Blocker(waiting, AccessKind.Update, place));
        participant.Unlist(Branch(participant, turn));
        participant.Dequeue(place);
        Assert.Same(past, participant.Blocker(waiting, AccessKind.Update));
    }

    [Fact]
    public void One_who_is_sealed_or_has_ended_is_in_nobodys_way()
    {
        var (rig, participant) = Participant();
        var (holder, queued, late) = (Transaction(rig, 1), Transaction(rig, 2), Transaction(rig, 3));
        participant.List(Branch(participant, holder), AccessKind.Update, listed: false);
        participant.Enqueue(queued, AccessKind.Update);
        Assert.Same(queued, participant.Blocker(late, AccessKind.Update));
        queued.IsEnded = true;
        Assert.Same(holder, participant.Blocker(late, AccessKind.Update));
        holder.IsSealed = true;
        Assert.Null(participant.Blocker(late, AccessKind.Update));
    }

    private static Branch Branch(Participant participant, LocalTransaction transaction) =>
        participant.Owner.BranchForAccess(transaction)!;

    [Fact]
    public void A_cycle_inside_a_node_dooms_its_youngest_at_once()
    {
        var rig = Locks();
        var (old, young) = (new Gate(), new Gate());
        var first = rig.Start("Old", TwoUpdates(rig, "old", 0, 1, old), maxAttempts: 1);
        rig.Until(() => old.Arrivals == 1, "the older must hold its first");
        rig.Cluster.Loop.RunFor(100);
        var second = rig.Start("Young", TwoUpdates(rig, "young", 1, 0, young), maxAttempts: 1);
        rig.Until(() => young.Arrivals == 1, "the younger must hold its first");
        old.Open();
        rig.Until(() => rig.Node.Engine.Waits.Count == 1, "the older must wait");
        young.Open();
        rig.End(first);
        rig.End(second);
        Assert.True(first.IsCompletedSuccessfully);
        Assert.Equal(AbortReason.Deadlock, EngineRig.AbortOf(second).Abort.Reason);
        Assert.Equal(["old"], _order);
        Assert.Equal(0, rig.Node.Engine.Waits.Count);
        Assert.Equal(0, rig.Statistics.WaitsEndedByDeadline);
    }

    [Fact]
    public void A_wait_that_reaches_its_deadline_is_counted_and_aborts_the_waiter()
    {
        var rig = Locks(options => options.WaitDeadlineMicroseconds = 50_000);
        var gate = new Gate();
        var holder = rig.Start("Old", TwoUpdates(rig, "holder", 0, 1, gate));
        rig.Until(() => gate.Arrivals == 1, "the holder must hold");
        var waiter = rig.Run("Young", async frame => await rig.Add(frame, 0, 1, 1), maxAttempts: 1);
        Assert.Equal(AbortReason.WaitDeadline, EngineRig.AbortOf(waiter).Abort.Reason);
        Assert.Equal(1, rig.Statistics.WaitsEndedByDeadline);
        gate.Open();
        rig.End(holder);
        Assert.True(holder.IsCompletedSuccessfully);
    }

    [Fact]
    public void A_wait_in_a_queue_that_moves_does_not_reach_its_deadline()
    {
        var rig = Locks(options => options.WaitDeadlineMicroseconds = 50_000);
        var gates = Enumerable.Range(0, 4).Select(_ => new Gate()).ToArray();
        var all = Queue(rig, gates);
        foreach (var gate in gates)
        {
            rig.Until(() => gate.Arrivals == 1, "the next one must hold");
            rig.Cluster.Loop.RunFor(40_000);
            gate.Open();
        }

        foreach (var transaction in all) rig.End(transaction);
        Assert.All(all, static transaction => Assert.True(transaction.IsCompletedSuccessfully));
        Assert.Equal(0, rig.Statistics.WaitsEndedByDeadline);
    }

    [Fact]
    public void Of_a_queue_that_stands_still_one_is_ended_at_a_time()
    {
        var rig = Locks(options => options.WaitDeadlineMicroseconds = 50_000);
        var gates = Enumerable.Range(0, 4).Select(_ => new Gate()).ToArray();
        var all = Queue(rig, gates);
        rig.Cluster.Loop.RunFor(60_000);
        Assert.Equal(1, rig.Statistics.WaitsEndedByDeadline);
        rig.Cluster.Loop.RunFor(50_000);
        Assert.Equal(2, rig.Statistics.WaitsEndedByDeadline);
        foreach (var gate in gates) gate.Open();
        foreach (var transaction in all) rig.End(transaction);
        Assert.Equal([true, false, false, true], all.Select(static transaction => transaction.IsCompletedSuccessfully));
    }

    /// <summary>
    /// Transactions that want the same state, one after the other; each holds it until its gate opens.
    /// </summary>
    private static Task[] Queue(EngineRig rig, Gate[] gates)
    {
        var all = new List<Task>();
        foreach (var gate in gates)
        {
            all.Add(rig.Start("Queued", Hold, maxAttempts: 1));
            if (all.Count == 1) rig.Until(() => gate.Arrivals == 1, "the first must hold");
            else rig.Until(() => rig.Node.Engine.Waits.Count == all.Count - 1, "the others must wait");

            async Task Hold(CallFrame frame)
            {
                await rig.Add(frame, 0, 1, 1);
                await gate.Arrive();
            }
        }

        return [.. all];
    }

    [Fact]
    public void What_the_whole_process_has_slept_through_ends_no_wait()
    {
        var rig = Locks(options => options.WaitDeadlineMicroseconds = 1_000_000);
        var gate = new Gate();
        var holder = rig.Start("Old", TwoUpdates(rig, "holder", 0, 1, gate));
        rig.Until(() => gate.Arrivals == 1, "the holder must hold");
        var waiter = rig.Start("Young", async frame => await rig.Add(frame, 0, 1, 1), maxAttempts: 1);
        rig.Until(() => rig.Node.Engine.Waits.Count == 1, "the waiter must wait");

        // To the engine, that is a clock which has gone on while nothing else has.
        rig.Node.ClockOffset += rig.Node.Engine.Options.WaitDeadlineMicroseconds + 1;
        rig.Cluster.Loop.RunFor(50_000);
        gate.Open();
        rig.End(holder);
        rig.End(waiter);

        Assert.True(holder.IsCompletedSuccessfully);
        Assert.True(waiter.IsCompletedSuccessfully);
        Assert.Equal(0, rig.Statistics.WaitsEndedByDeadline);
    }

    private static EngineRig Locks(Action<EngineOptions>? configure = null) =>
        new(new FixedPolicy("locks", PolicyActions.WaitForHolders), configure: configure);

    private static (EngineRig Rig, Participant Participant) Participant()
    {
        var rig = new EngineRig();
        return (rig, rig.Node.Engine.Partitions.All.Single().GetParticipant(rig.Cluster.Accounts.KeyOf(0)));
    }

    private static LocalTransaction Transaction(EngineRig rig, long sequence) =>
        new(new TransactionId(new NodeId(9), sequence), "T", 0, rig.Node.Policies.Current);

    private Func<CallFrame, Task> TwoUpdates(EngineRig rig, string name, int first, int second, Gate gate) =>
        async frame =>
        {
            await rig.Add(frame, first, 1, 1);
            await gate.Arrive();
            await rig.Add(frame, second, 1, 1);
            _order.Add(name);
        };
}
