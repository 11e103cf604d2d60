using Polyjuice.Agents;
using Polyjuice.Contracts;
using Polyjuice.Partitions;
using Polyjuice.Policies;
using Polyjuice.Reservations;
using Polyjuice.Tests.Agents;
using Polyjuice.Versions;
using Polyjuice.Waits;
using Polyjuice.Wire;

namespace Polyjuice.Tests.Waits;

/// <summary>On wait graphs made by hand: transaction n, of an agent elsewhere, is the older the less n is.</summary>
public sealed class WaitWalkTests
{
    private const int Access = 0;
    private static readonly NodeId s_elsewhere = new(99);

    private readonly EngineRig _rig = new();
    private readonly WaitWalk _walk;
    private readonly LocalTransaction[] _transactions;

    public WaitWalkTests()
    {
        _walk = WalkOf(_rig);
        _transactions = [.. Enumerable.Range(0, 20).Select(age => Transaction(age, s_elsewhere))];
        _walk.Begin();
    }

    private static WaitWalk WalkOf(EngineRig rig) => new(rig.Node.Engine.Context, new WaitCalls(rig.Node.Engine));

    [Fact]
    public void Who_waits_for_nobody_here_has_no_way_out()
    {
        Assert.Empty(ExitsOf(0));
        Edge(1, 0);
        Assert.Empty(ExitsOf(0));
    }

    [Fact]
    public void A_way_leads_through_those_that_wait_here_to_those_that_may_wait_elsewhere()
    {
        var first = Edge(0, 1);
        Edge(1, 2);
        Edge(2, 3);
        var exit = Assert.Single(ExitsOf(0));
        Assert.Same(_transactions[3], exit.Transaction);
        Assert.Same(first, exit.Via);
    }

    [Fact]
    public void The_youngest_between_the_two_is_named_and_neither_of_them_counts()
    {
        Edge(9, 1);
        Edge(1, 5);
        Edge(5, 3);
        Edge(3, 12);
        Assert.Same(_transactions[5], Assert.Single(ExitsOf(9)).Youngest);
        Assert.Same(_transactions[5], Assert.Single(ExitsOf(1)).Youngest);
        Assert.Same(_transactions[3], Assert.Single(ExitsOf(5)).Youngest);
        Assert.Null(Assert.Single(ExitsOf(3)).Youngest);
    }

    [Fact]
    public void Who_is_in_the_way_only_by_its_place_in_a_queue_is_not_the_youngest()
    {
        // 9 stands in the queue ahead of 0, for the state that 1 holds.
        var queue = _rig.Node.Engine.Partitions.All.Single().GetParticipant(_rig.Cluster.Accounts.KeyOf(0));
        queue.List(queue.Owner.BranchForAccess(_transactions[1])!, AccessKind.Update, listed: false);
        Edge(0, 9, queue: queue);
        Edge(9, 1, queue: queue);
        Edge(1, 15);
        Assert.Same(_transactions[1], Assert.Single(ExitsOf(0)).Youngest);
    }

    [Fact]
    public void Where_two_ways_lead_to_one_it_is_named_once()
    {
        Edge(0, 1);
        Edge(0, 2);
        Edge(1, 3);
        Edge(2, 3);
        Assert.Equal([_transactions[3]], ExitsOf(0).Select(static exit => exit.Transaction));
    }

    [Fact]
    public void Who_is_waited_for_directly_and_by_another_way_is_walked_once()
    {
        var direct = Edge(0, 3);
        Edge(0, 1);
        Edge(1, 3);
        Edge(3, 4);
        var exit = Assert.Single(ExitsOf(0), exit => exit.Transaction == _transactions[4]);
        Assert.Same(direct, exit.Via);
    }

    [Fact]
    public void Each_of_several_ways_is_named()
    {
        Edge(0, 1);
        Edge(1, 2);
        Edge(1, 3);
        Edge(3, 4);
        Assert.Equal([1, 2, 4], ExitsOf(0).Select(static exit => (int)exit.Transaction.FirstAttempt).Order());
    }

    [Fact]
    public void Those_who_are_through_are_in_nobodys_way()
    {
        Edge(0, 1);
        Edge(0, 2);
        Edge(0, 3);
        Edge(3, 4);
        _transactions[1].IsEnded = true;
        _transactions[2].IsSealed = true;
        _transactions[3].IsSealed = true;
        Assert.Empty(ExitsOf(0));
    }

    [Fact]
    public void Who_waits_here_and_may_wait_elsewhere_as_well_is_an_exit_itself()
    {
        Edge(0, 1);
        Edge(1, 2);
        _transactions[1].IsParallel = true;
        var exits = ExitsOf(0);
        Assert.Equal([1, 2], exits.Select(static exit => (int)exit.Transaction.FirstAttempt).Order());
        Assert.Null(exits.Single(exit => exit.Transaction == _transactions[1]).Youngest);
        Assert.Same(_transactions[1], exits.Single(exit => exit.Transaction == _transactions[2]).Youngest);
    }

    [Fact]
    public void A_circle_inside_the_node_ends()
    {
        Edge(0, 1);
        Edge(1, 2);
        Edge(2, 1);
        Edge(2, 5);
        Assert.Contains(_transactions[5], ExitsOf(1).Select(static exit => exit.Transaction));
        Assert.Contains(_transactions[5], ExitsOf(0).Select(static exit => exit.Transaction));
    }

    [Fact]
    public void A_walk_visits_each_once_however_many_wait_behind_it()
    {
        Edge(0, 1);
        Edge(1, 2);
        for (var i = 3; i < 20; i++) Edge(i, 0);
        var before = _rig.Statistics.WaitSteps;
        for (var i = 3; i < 20; i++) Assert.Single(ExitsOf(i));

        // All twenty of them, and the exit that all but the last have.
        Assert.Equal(20 + 19, _rig.Statistics.WaitSteps - before);
        for (var i = 0; i < 20; i++) ExitsOf(i);
        Assert.Equal(20 + 19, _rig.Statistics.WaitSteps - before);
    }

    [Fact]
    public void What_has_changed_since_is_seen_by_the_next_walk_only()
    {
        Edge(0, 1);
        Edge(1, 2);
        Assert.Single(ExitsOf(0));
        _transactions[2].IsEnded = true;
        Assert.Single(ExitsOf(0));
        _walk.Begin();
        Assert.Empty(ExitsOf(0));
    }

    [Fact]
    public void One_whose_agent_is_here_and_that_waits_for_nobody_waits_nowhere()
    {
        var own = Transaction(30, _rig.Node.Id);
        Assert.False(_walk.MayWaitElsewhere(own));
        Assert.True(_walk.MayWaitElsewhere(_transactions[0]));
        own.Agent = new AgentTransaction(own);
        Assert.False(_walk.MayWaitElsewhere(own));
    }

    [Fact]
    public void Who_prepares_may_wait_where_it_is_not_ordered_yet()
    {
        Assert.True(MayWait(AgentState.Preparing, s_elsewhere));
        Assert.True(MayWait(AgentState.Aborting, s_elsewhere));
        Assert.False(MayWait(AgentState.Running, s_elsewhere));
        Assert.False(MayWait(AgentState.Preparing, _rig.Node.Id));
        Assert.False(MayWait(AgentState.Preparing, s_elsewhere, isOrdered: true));

        bool MayWait(AgentState state, NodeId node, bool isOrdered = false)
        {
            var own = Transaction(30, _rig.Node.Id);
            own.Agent = new AgentTransaction(own)
            {
                State = state, Parts = [new ParticipantUse { Partition = 1, Node = node }]
            };
            if (isOrdered) own.Agent!.Answers.Order(0);
            return _walk.MayWaitElsewhere(own);
        }
    }

    [Fact]
    public void Who_reserves_at_another_node_may_wait_there_until_that_is_over()
    {
        var rig = new EngineRig(nodes: 2);
        var walk = WalkOf(rig);
        var own = Enumerable.Range(0, 2).Single(rig.Node.Engine.Owns);
        Assert.True(MayWait(partition: 1 - own));
        Assert.False(MayWait(partition: own));
        Assert.False(MayWait(partition: 1 - own, isOver: true));

        bool MayWait(int partition, bool isOver = false)
        {
            var planned = new PlannedReservation(
                partition, rig.Cluster.Accounts.KeyOf(0), IsExclusive: true, Accesses: 1);
            var plan = ReservationPlan.Of("T", [planned], rig.Node.Engine.KnownOwners.InOrder())!;
            var id = new TransactionId(rig.Node.Id, 1_030);
            var transaction = new LocalTransaction(id, "T", 0, rig.Node.Policies.Current)
            {
                Reservations = new TransactionReservations { Reserving = new Reserving(plan, startedAt: 0) },
            };
            transaction.Agent = new AgentTransaction(transaction);
            if (isOver) transaction.Agent!.Reserving!.Stop();
            return walk.MayWaitElsewhere(transaction);
        }
    }

    [Fact]
    public void Who_waits_for_the_answer_of_a_call_to_another_node_waits_elsewhere_whatever_it_waits_for_here()
    {
        var own = Transaction(30, _rig.Node.Id);
        own.RemoteCalls = [];
        Assert.False(_walk.MayWaitElsewhere(own));
        own.RemoteCalls.Add(null!);
        Assert.True(_walk.MayWaitElsewhere(own));
        Edge(own, _transactions[0], Access);
        Assert.False(WaitWalk.WaitsHereOnly(own));
        Assert.True(_walk.MayWaitElsewhere(own));
        own.RemoteCalls.Clear();
        Assert.True(WaitWalk.WaitsHereOnly(own));
        Assert.False(_walk.MayWaitElsewhere(own));
        own.RemoteCalls.Add(null!);
        own.IsEnded = true;
        Assert.False(_walk.MayWaitElsewhere(own));
    }

    [Theory]
    [InlineData(Access, true)]
    [InlineData(Wait.ReservationSite, true)]
    [InlineData(Wait.TurnSite, true)]
    [InlineData(Wait.NoSite, false)]
    [InlineData(Wait.HandedOnSite, false)]
    public void A_prepare_that_waits_here_may_wait_elsewhere_too_and_an_access_may_not(int site, bool expected)
    {
        Assert.False(WaitWalk.WaitsHereOnly(_transactions[0]));
        Edge(0, 1, site);
        Assert.Equal(expected, WaitWalk.WaitsHereOnly(_transactions[0]));
        Assert.Equal(!expected, _walk.MayWaitElsewhere(_transactions[0]));
        _transactions[0].IsParallel = true;
        Assert.False(WaitWalk.WaitsHereOnly(_transactions[0]));
    }

    [Fact]
    public void Several_waits_are_here_only_if_all_of_them_are_for_reservations()
    {
        Edge(0, 1, Wait.ReservationSite);
        Edge(0, 2, Wait.UnorderedReservationSite);
        Assert.True(WaitWalk.WaitsHereOnly(_transactions[0]));
        Edge(0, 3, Access);
        Assert.False(WaitWalk.WaitsHereOnly(_transactions[0]));
    }

    [Fact]
    public void The_younger_of_two_is_the_one_that_has_first_begun_later()
    {
        Assert.Same(_transactions[4], WaitWalk.YoungerOf(_transactions[4], null));
        Assert.Same(_transactions[4], WaitWalk.YoungerOf(_transactions[4], _transactions[3]));
        Assert.Same(_transactions[4], WaitWalk.YoungerOf(_transactions[3], _transactions[4]));
    }

    private LocalTransaction Transaction(long age, NodeId node) =>
        new(new TransactionId(node, 1_000 + age), "T", 0, _rig.Node.Policies.Current) { FirstAttempt = age };

    private List<WaitExit> ExitsOf(int transaction)
    {
        var exits = new List<WaitExit>();
        for (var exit = _walk.ExitsOf(_transactions[transaction]); exit is not null; exit = exit.Next) exits.Add(exit);
        return exits;
    }

    private Wait Edge(int waiter, int target, int site = Access, Participant? queue = null) =>
        Edge(_transactions[waiter], _transactions[target], site, queue);

    private static Wait Edge(LocalTransaction waiter, LocalTransaction target, int site, Participant? queue = null)
    {
        var wait = new Wait(waiter, target, Wait.Sealed, 0, site, queue);
        (waiter.Edges ??= new()).Waits.Add(wait);
        (target.Edges ??= new()).Waiters.Add(wait);
        return wait;
    }
}
