using Polyjuice.Contracts;
using Polyjuice.Reservations;
using Polyjuice.Simulation.Network;
using Polyjuice.Tests.Agents;
using Polyjuice.Tests.Partitions;
using Polyjuice.Versions;
using Polyjuice.Waits;
using Polyjuice.Wire;

namespace Polyjuice.Tests.Waits;

/// <summary>The wait graph of one node, edge by edge: transaction n is the older the less n is.</summary>
public sealed class WaitGraphTests
{
    private const int Access = 0;

    private const long Deadline = 600_000;

    private readonly EngineRig _rig = new(configure: static options => options.WaitDeadlineMicroseconds = Deadline);
    private readonly LocalTransaction[] _transactions;
    private long _place;

    public WaitGraphTests() =>
        _transactions =
        [
            .. Enumerable.Range(0, 6)
            .Select(
                age => new LocalTransaction(
                    new TransactionId(_rig.Node.Id, 1_000 + age), "T", 0, _rig.Node.Policies.Current)
                {
                    FirstAttempt = age + 1
                })
        ];

    private WaitGraph Graph => _rig.Node.Engine.Waits;

    [Fact]
    public void Only_waits_that_are_in_no_order_may_close_a_cycle()
    {
        Assert.False(Graph.HasUnordered);
        Graph.Register(_transactions[0], _transactions[1], Wait.Sealed, Wait.ReservationSite);
        Graph.Register(_transactions[0], _transactions[2], Wait.Sealed, Wait.HandedOnSite);
        Assert.False(Graph.HasUnordered);
        var wait = Graph.Register(_transactions[1], _transactions[2], Wait.Sealed, Access);
        Assert.True(Graph.HasUnordered);
        Graph.Remove(wait);
        Assert.False(Graph.HasUnordered);
        Assert.Equal(2, Graph.Count);
        Graph.Cancel(_transactions[0]);
        Graph.Register(_transactions[1], _transactions[2], Wait.Sealed, Access);
        Assert.True(Graph.HasUnordered);
    }

    [Fact]
    public void A_wait_is_an_edge_at_both_ends_until_it_is_removed_and_is_removed_once()
    {
        var (one, other) =
            (Graph.Register(
                _transactions[0], _transactions[1], Wait.Sealed,
                Access), Graph.Register(_transactions[2], _transactions[1], Wait.Sealed, Access));
        Assert.Equal([one, other], _transactions[1].Edges!.Waiters);
        Assert.Equal([one], _transactions[0].Waits!);
        Assert.Equal((2, 2L), (Graph.Count, (long)_rig.Statistics.Waits));
        for (var times = 1; times <= 2; times++)
        {
            Graph.Remove(one);
            Assert.Equal([other], _transactions[1].Edges!.Waiters);
            Assert.Empty(_transactions[0].Waits!);
            Assert.Equal(1, Graph.Count);
        }
    }

    [Fact]
    public void The_beginning_and_the_end_of_a_wait_are_progress_of_who_waits()
    {
        _rig.Cluster.Loop.RunFor(1_000);
        var wait = Graph.Register(_transactions[0], _transactions[1], Wait.Sealed, Access);
        var began = _transactions[0].Edges!.ChangedAt;
        Assert.Equal(_rig.Node.Engine.Now, began);
        Assert.Equal(0, _transactions[1].Edges!.ChangedAt);
        _rig.Cluster.Loop.RunFor(1_000);
        Graph.Remove(wait);
        Assert.Equal(began + 1_000, _transactions[0].Edges!.ChangedAt);
    }

    [Fact]
    public void Nobody_waits_who_is_doomed_or_for_what_has_happened()
    {
        _transactions[2].Doom = new AbortInfo(AbortReason.Wounded, "T", null, null, null);
        Assert.False(Now(2, 1, Wait.Sealed));
        _transactions[1].Progress = 3;
        Assert.True(Now(0, 1, 3));
        _transactions[3].IsEnded = true;
        Assert.True(Now(0, 3, Wait.Decided));
        Assert.Equal((0, 0L), (Graph.Count, (long)_rig.Statistics.Waits));

        bool Now(int waiter, int target, int level)
        {
            var outcome = OutcomeOf(Start(waiter, target, level));
            Assert.NotNull(outcome);
            return outcome.Value;
        }
    }

    [Fact]
    public void Progress_ends_the_waits_that_it_satisfies_and_keeps_the_others_in_their_order()
    {
        var (early, late, last, sealing) = (Start(0, 5, 2), Start(1, 5, 5), Start(2, 5, 3), Start(3, 5, Wait.Sealed));
        _transactions[5].Progress = 3;
        Graph.Notify(_transactions[5]);
        Run();
        Assert.True(OutcomeOf(early));
        Assert.True(OutcomeOf(last));
        Assert.False(late.IsCompleted || sealing.IsCompleted);
        Assert.Equal(
            [_transactions[1], _transactions[3]], _transactions[5].Edges!.Waiters.Select(static wait => wait.Waiter));
        Assert.Equal(2, Graph.Count);
        _transactions[5].IsSealed = true;
        Graph.Notify(_transactions[5]);
        Run();
        Assert.True(OutcomeOf(late));
        Assert.True(OutcomeOf(sealing));
        Assert.Empty(_transactions[5].Edges!.Waiters);
        Assert.Equal(0, Graph.Count);
    }

    [Fact]
    public void Who_was_doomed_meanwhile_has_waited_in_vain_although_the_other_is_through()
    {
        var task = Start(0, 5, Wait.Sealed);
        _transactions[5].IsSealed = true;
        Graph.Notify(_transactions[5]);
        _transactions[0].Doom = new AbortInfo(AbortReason.Wounded, "T", null, null, null);
        Run();
        Assert.False(OutcomeOf(task));
    }

    [Fact]
    public void A_wait_that_is_satisfied_by_word_ends_once()
    {
        var wait = Graph.Register(_transactions[0], _transactions[1], Wait.Decided, Access);
        Graph.Satisfy(wait);
        Graph.Satisfy(wait);
        Assert.True(wait.IsDone);
        Assert.True(wait.Completion.IsCompletedSuccessfully);
        Assert.Equal(0, Graph.Count);
        Assert.Empty(_transactions[1].Edges!.Waiters);
        Assert.Empty(_transactions[0].Waits!);
    }

    [Fact]
    public void All_waits_of_who_gives_up_end_and_no_others()
    {
        var (one, two, other) = (Start(0, 4, Wait.Sealed), Start(0, 5, Wait.Sealed), Start(1, 5, Wait.Sealed));
        Graph.Cancel(_transactions[0]);
        Run();
        Assert.False(OutcomeOf(one));
        Assert.False(OutcomeOf(two));
        Assert.False(other.IsCompleted);
        Assert.Empty(_transactions[0].Waits!);
        Assert.Empty(_transactions[4].Edges!.Waiters);
        Assert.Single(_transactions[5].Edges!.Waiters);
        Assert.Equal(1, Graph.Count);
    }

    [Fact]
    public void The_youngest_of_a_cycle_loses_whoever_closes_it()
    {
        var (young, old) = (Start(3, 1, Wait.Sealed), Start(1, 3, Wait.Sealed));
        Run();
        Assert.Equal(AbortReason.Deadlock, _transactions[3].Doom!.Reason);
        Assert.Null(_transactions[1].Doom);
        Assert.False(OutcomeOf(young));
        Assert.False(old.IsCompleted);
        Assert.Equal(1, Graph.Count);
        Graph.Cancel(_transactions[1]);

        (old, young) = (Start(0, 2, Wait.Sealed), Start(2, 0, Wait.Sealed));
        Run();
        Assert.Equal(AbortReason.Deadlock, _transactions[2].Doom!.Reason);
        Assert.Null(_transactions[0].Doom);
        Assert.False(OutcomeOf(young));
        Assert.False(old.IsCompleted);
        Assert.Equal(1, Graph.Count);
    }

    [Fact]
    public void A_wait_that_closes_two_cycles_breaks_both()
    {
        var (one, two) = (Start(4, 0, Wait.Sealed), Start(5, 0, Wait.Sealed));
        Graph.Register(_transactions[1], _transactions[4], Wait.Sealed, Access);
        Graph.Register(_transactions[1], _transactions[5], Wait.Sealed, Access);
        var closing = Start(0, 1, Wait.Sealed);
        Run();
        Assert.Equal(
            (AbortReason.Deadlock, AbortReason.Deadlock),
            (_transactions[4].Doom!.Reason, _transactions[5].Doom!.Reason));
        Assert.False(OutcomeOf(one));
        Assert.False(OutcomeOf(two));
        Assert.False(closing.IsCompleted);
        Assert.Null(_transactions[0].Doom);
        Assert.Null(_transactions[1].Doom);
    }

    [Fact]
    public void A_wait_that_closes_no_cycle_breaks_none()
    {
        Assert.Equal(
            CycleBreak.None,
            Graph.BreakCycle(Graph.Register(_transactions[0], _transactions[1], Wait.Sealed, Access)));
        var over = Graph.Register(_transactions[1], _transactions[0], Wait.Sealed, Access);
        Graph.Satisfy(over);
        Assert.Equal(CycleBreak.None, Graph.BreakCycle(over));
        Assert.All(_transactions, static transaction => Assert.Null(transaction.Doom));
    }

    [Fact]
    public void Whom_a_probe_has_found_loses_if_it_waits_still()
    {
        Graph.OnVictim(_transactions[0]);
        Assert.Null(_transactions[0].Doom);
        var task = Start(0, 1, Wait.Sealed);
        Graph.OnVictim(_transactions[0]);
        Run();
        Assert.Equal(AbortReason.Deadlock, _transactions[0].Doom!.Reason);
        Assert.False(OutcomeOf(task));
    }

    [Fact]
    public void Who_proves_what_its_failed_body_has_read_gives_up_its_wait_when_it_loses()
    {
        _transactions[0].Doom = new AbortInfo(AbortReason.UserException, "T", null, null, null);
        Graph.Register(_transactions[0], _transactions[1], Wait.Sealed, Wait.NoSite);
        Graph.OnVictim(_transactions[0]);
        Assert.Equal(0, Graph.Count);
        Assert.Equal(AbortReason.UserException, _transactions[0].Doom!.Reason);
    }

    [Fact]
    public void A_wait_ends_at_its_deadline_and_twice_as_late_where_the_other_waits_itself()
    {
        var (first, second) = (Start(0, 1, Wait.Sealed), Start(2, 3, Wait.Sealed));
        Graph.Register(_transactions[3], _transactions[4], Wait.Sealed, Wait.TurnSite);
        Pass(Deadline - 10_000);
        Assert.False(first.IsCompleted);
        Pass(20_000);
        Assert.False(OutcomeOf(first));
        Assert.Equal(AbortReason.WaitDeadline, _transactions[0].Doom!.Reason);
        Assert.False(second.IsCompleted);
        Pass(Deadline);
        Assert.False(OutcomeOf(second));
        Assert.Equal(AbortReason.WaitDeadline, _transactions[2].Doom!.Reason);
        Assert.Null(_transactions[3].Doom);
    }

    [Theory]
    [InlineData(Wait.ReservationSite)]
    [InlineData(Wait.UnorderedReservationSite)]
    [InlineData(Wait.TurnSite)]
    public void A_wait_for_a_reservation_or_a_turn_has_no_deadline_here(int site)
    {
        Graph.Register(_transactions[0], _transactions[1], Wait.Sealed, site);
        Pass(3 * Deadline);
        Assert.Null(_transactions[0].Doom);
        Assert.Equal(1, Graph.Count);
    }

    [Fact]
    public void One_that_has_lasted_is_removed_without_the_others_that_have_not()
    {
        var lasting = Graph.Register(_transactions[0], _transactions[1], Wait.Sealed, Access);
        Pass(_rig.Node.Engine.Options.ResendMicroseconds - 3_000);
        Assert.False(lasting.HasLasted);
        var young = Start(2, 3, Wait.Sealed);
        Pass(6_000);
        Assert.True(lasting.HasLasted);
        Graph.Remove(lasting);
        Pass(Deadline + 10_000);
        Assert.False(OutcomeOf(young));
        Assert.Equal(1, _rig.Statistics.WaitsEndedByDeadline);
        Assert.Equal(0, Graph.Count);
    }

    [Fact]
    public void Who_has_waited_and_waits_no_longer_is_forgotten_and_the_others_are_not()
    {
        var (first, last) = (Start(0, 1, Wait.Sealed), Task.FromResult(true));
        var removed = Graph.Register(_transactions[2], _transactions[3], Wait.Sealed, Access);
        last = Start(4, 5, Wait.Sealed);
        Graph.Remove(removed);
        Pass(Deadline + 10_000);
        Assert.False(OutcomeOf(first));
        Assert.False(OutcomeOf(last));
        Assert.Null(_transactions[2].Doom);
        Assert.Equal(2, _rig.Statistics.WaitsEndedByDeadline);
    }

    [Fact]
    public void Who_proves_what_its_failed_body_has_read_gives_way_in_a_cycle_all_the_same()
    {
        _transactions[3].Doom = new AbortInfo(AbortReason.UserException, "T", null, null, null);
        var own = Graph.Register(_transactions[3], _transactions[1], Wait.Sealed, Wait.NoSite);
        var closing = Graph.Register(_transactions[1], _transactions[3], Wait.Sealed, Access);
        Assert.Equal(CycleBreak.OtherDoomed, Graph.BreakCycle(closing));
        Assert.True(own.IsDone);
        Assert.False(closing.IsDone);
        Assert.Null(_transactions[1].Doom);
    }

    /// <summary>Housekeeping that comes half a second and two ticks late was kept from coming.</summary>
    [Theory]
    [InlineData(503_999, false)]
    [InlineData(504_000, true)]
    public void Only_a_long_pause_of_the_housekeeping_is_a_stall(long pause, bool isStall)
    {
        const long Tick = 2_000;
        Assert.Equal(Tick, _rig.Node.Engine.Options.TickMicroseconds);
        var task = Start(0, 1, Wait.Sealed);
        Pass(10 * Tick);
        _rig.Node.ClockOffset += pause - Tick;
        Pass(Tick);
        Pass(Deadline - pause);
        Assert.Equal(isStall ? null : false, OutcomeOf(task));
    }

    [Fact]
    public void After_a_stall_of_the_process_the_time_begins_anew()
    {
        var task = Start(0, 1, Wait.Sealed);
        Graph.Register(_transactions[1], _transactions[2], Wait.Sealed, Wait.TurnSite);
        Pass(20_000);
        _rig.Node.ClockOffset += Deadline + 1;
        Pass(Deadline * 3 / 2);
        Assert.False(task.IsCompleted);
        Pass(Deadline);
        Assert.False(OutcomeOf(task));
    }

    [Fact]
    public void Who_loses_at_its_deadline_has_got_on_for_those_who_wait_for_it()
    {
        // All three begin at the same time and are looked at in this order.
        var (before, first, behind) = (Start(2, 0, Wait.Sealed), Start(0, 1, Wait.Sealed), Start(3, 0, Wait.Sealed));
        Pass(Deadline + 10_000);
        Assert.False(OutcomeOf(first));
        Assert.False(before.IsCompleted || behind.IsCompleted);
        Assert.Null(_transactions[3].Doom);
        Pass(Deadline);
        Assert.False(OutcomeOf(before));
        Assert.False(OutcomeOf(behind));
    }

    [Fact]
    public void Who_is_waited_for_is_watched_anew_when_its_own_wait_has_ended()
    {
        Graph.Register(_transactions[0], _transactions[1], Wait.Sealed, Access);
        var wait = Graph.Register(_transactions[1], _transactions[2], Wait.Sealed, Access);
        var other = Graph.Register(_transactions[3], _transactions[2], Wait.Sealed, Access);
        Pass(1_000);
        Graph.Satisfy(wait);
        Graph.Satisfy(other);
        Assert.Equal(_rig.Node.Engine.Now, _transactions[1].Edges!.WatchedSince);
        Assert.Equal(0, _transactions[3].Edges!.WatchedSince);
    }

    [Fact]
    public void Who_begins_to_be_waited_for_is_watched_unless_it_does_no_more_than_wait_here()
    {
        Graph.Register(_transactions[2], _transactions[3], Wait.Sealed, Access);
        Pass(1_000);
        Graph.Register(_transactions[0], _transactions[1], Wait.Sealed, Access);
        Graph.Register(_transactions[0], _transactions[2], Wait.Sealed, Access);
        var began = _rig.Node.Engine.Now;
        Pass(1_000);
        Graph.Register(_transactions[4], _transactions[1], Wait.Sealed, Access);
        Assert.Equal((began, 0L), (_transactions[1].Edges!.WatchedSince, _transactions[2].Edges!.WatchedSince));
    }

    [Fact]
    public void An_agent_elsewhere_that_does_not_answer_is_asked_again_how_far_it_has_got()
    {
        var rig = new EngineRig(nodes: 2);
        var asked = new WireTap(rig.Cluster.Network).Drop(static message => message.Kind == MessageKind.Subscribe);
        var target = new LocalTransaction(
            new TransactionId(rig.Cluster.Node(1).Id, 1_000), "T", 0, rig.Node.Policies.Current);
        var waiter = new LocalTransaction(new TransactionId(rig.Node.Id, 1_000), "T", 0, rig.Node.Policies.Current);
        rig.Node.Turn(() => _ = rig.Node.Engine.Waits.WaitAsync(waiter, target, level: 3, Access).AsTask());
        var resend = rig.Node.Engine.Options.ResendMicroseconds;
        for (var times = 1; times <= 3; times++)
        {
            Pass(rig, resend - 2_000);
            Assert.Equal(times, asked.Taken.Count);
            Assert.Equal(3, ((Message)asked.Taken[^1].Content!).Count);
            Pass(rig, 4_000);
        }
    }

    [Fact]
    public void A_prepare_that_waits_is_refused_when_its_transaction_loses_though_it_was_doomed_before()
    {
        var bench = new OwnerBench();
        Exposure.ExposeAll(bench.Access([0]));
        var reader = bench.Access([], reads: [0]);
        bench.Node.Turn(() => bench.Node.Engine.Lifecycle.Doom(reader.Transaction, AbortReason.UserException, null));
        Assert.Empty(bench.Hear(bench.Prepare(reader, manager: -1) with { Flags = MessageFlags.Logged }));
        Assert.True(reader.IsParked);
        bench.Node.Turn(() => bench.Node.Engine.Waits.OnVictim(reader.Transaction));
        var reply = Assert.Single(bench.Wait(1_000));
        Assert.Equal((MessageKind.PrepareReply, MessageFlags.Aborted | MessageFlags.Final), (reply.Kind, reply.Flags));
        Assert.False(reader.IsParked);
    }

    [Fact]
    public void Those_who_wait_for_a_reservation_are_counted_by_its_queue()
    {
        var (first, second) = (Queue(0), Queue(1));
        Reserve(first, 0);
        Reserve(second, 0);
        var (one, two, other) = (Reserve(first, 1), Reserve(first, 2), Reserve(second, 3));
        Assert.Equal((2, 1), (first.Waiting, second.Waiting));
        first.Leave(one);
        Assert.Equal((1, 1), (first.Waiting, second.Waiting));
        Assert.Equal([0, 1], new[] { first.WaitedForAt, second.WaitedForAt }.Order());
        first.Leave(two);
        Assert.Equal((0, 0), (first.Waiting, second.WaitedForAt));
        Reserve(first, 4);
        Assert.Equal((1, 1, 1), (first.Waiting, first.WaitedForAt, second.Waiting));
        second.Leave(other);
        Assert.Equal((1, 0, 0), (first.Waiting, first.WaitedForAt, second.Waiting));
    }

    [Fact]
    public void Who_has_waited_for_a_reservation_for_a_tick_goes_ahead_of_the_younger_ones_that_wait()
    {
        var queue = Queue(0);
        Reserve(queue, 0);
        Reserve(queue, 5);
        Reserve(queue, 3);
        Pass(1_000);
        Assert.Equal([0, 5, 3], OrderOf(queue));
        Pass(1_000);
        Assert.Equal([0, 3, 5], OrderOf(queue));
    }

    [Fact]
    public void Not_while_the_queue_moves()
    {
        var queue = Queue(0);
        Reserve(queue, 0, isExclusive: false);
        var leaving = Reserve(queue, 1, isExclusive: false);
        Reserve(queue, 5);
        Reserve(queue, 3);
        Pass(1_500);
        _rig.Node.Turn(() => queue.Leave(leaving));
        Pass(1_000);
        Assert.Equal([0, 5, 3], OrderOf(queue));
        Pass(2_000);
        Assert.Equal([0, 3, 5], OrderOf(queue));
    }

    private ReservationQueue Queue(int account) =>
        _rig.Node.Engine.Partitions.All.Single().GetParticipant(_rig.Cluster.Accounts.KeyOf(account))
            .ReservationsOf(_rig.Node.Engine.Queues);

    /// <summary>Who comes later began later to reserve, whatever its age.</summary>
    private ReservationRequest Reserve(ReservationQueue queue, int transaction, bool isExclusive = true)
    {
        var reservations = _transactions[transaction].Reservations ??= new() { IsPlanned = true, Place = ++_place };
        ReservationRequest? request = null;
        _rig.Node.Turn(
            () => request = queue.JoinPlanned(
                _transactions[transaction],
                new PlannedReservation(0, _rig.Cluster.Accounts.KeyOf(0), isExclusive, Accesses: 1),
                at: reservations.Requests.Count,
                view: 1));
        return request!;
    }

    private int[] OrderOf(ReservationQueue queue) =>
        [.. queue.Requests.Select(request => Array.IndexOf(_transactions, request.Transaction))];

    private Task<bool> Start(int waiter, int target, int level)
    {
        Task<bool> task = Task.FromResult(false);
        _rig.Node.Turn(
            () => task = Graph.WaitAsync(_transactions[waiter], _transactions[target], level, Access).AsTask());
        return task;
    }

    /// <summary>What came of a wait, or null as long as it lasts.</summary>
    private static bool? OutcomeOf(Task<bool> wait) =>
        wait.IsCompletedSuccessfully ? wait.GetAwaiter().GetResult() : null;

    private void Run() => _rig.Cluster.Loop.RunFor(100);

    /// <summary>
    /// Time passes, with the engine's housekeeping of waits, which rests as long as it knows no transaction.
    /// </summary>
    private void Pass(long microseconds) => Pass(_rig, microseconds);

    private static void Pass(EngineRig rig, long microseconds)
    {
        for (var tick = rig.Node.Engine.Options.TickMicroseconds; microseconds > 0; microseconds -= tick)
        {
            rig.Cluster.Loop.RunFor(Math.Min(tick, microseconds));
            rig.Node.Turn(() => rig.Node.Engine.Waits.Tick(rig.Node.Engine.Now));
        }
    }
}
