using Polyjuice.Contracts;
using Polyjuice.Partitions;
using Polyjuice.Policies;
using Polyjuice.Tests.Agents;
using Polyjuice.Versions;
using Polyjuice.Waits;

namespace Polyjuice.Tests.Waits;

/// <summary>On wait graphs made by hand: transaction n is the older the less n is.</summary>
public sealed class CycleSearchTests
{
    private readonly EngineRig _rig = new();
    private readonly EngineStatistics _statistics = new();
    private readonly List<LocalTransaction> _transactions = [];
    private readonly CycleSearch _search;

    public CycleSearchTests()
    {
        _search = new CycleSearch(_statistics);
        for (var age = 0; age < 60; age++)
            _transactions.Add(new LocalTransaction(
                new TransactionId(new NodeId(9), age + 1), "T", 0, _rig.Node.Policies.Current)
            {
                FirstAttempt = age
            });
    }

    [Fact]
    public void Who_waits_for_itself_is_the_youngest_of_that_cycle() =>
        Assert.Same(_transactions[3], _search.FindYoungest(Edge(3, 3)));

    [Theory]
    [InlineData(1, 0, 1)]
    [InlineData(2, 0, 2, 1)]
    [InlineData(2, 2, 0, 1)]
    [InlineData(4, 4, 0, 2, 3, 1)]
    [InlineData(9, 5, 1, 9, 7, 3, 0)]
    public void The_youngest_of_a_cycle_is_named_wherever_in_it_it_stands(int youngest, params int[] members)
    {
        Wait? last = null;
        for (var i = 0; i < members.Length; i++) last = Edge(members[i], members[(i + 1) % members.Length]);
        Assert.Same(_transactions[youngest], _search.FindYoungest(last!));
    }

    [Fact]
    public void Waits_that_lead_to_no_way_back_close_no_cycle()
    {
        Edge(0, 1);
        Edge(1, 2);
        Edge(0, 3);
        Edge(3, 2);
        Edge(5, 0);
        Assert.Null(_search.FindYoungest(Edge(4, 5)));
        Assert.Null(_search.FindYoungest(Edge(2, 6)));
        Assert.Null(_search.FindYoungest(Edge(7, 0)));
    }

    [Fact]
    public void Those_who_only_wait_for_a_cycle_or_are_waited_for_by_it_are_none_of_it()
    {
        Edge(0, 1);
        Edge(1, 2);
        Edge(30, 0);
        Edge(31, 1);
        Edge(2, 32);
        Edge(0, 33);
        Edge(33, 34);
        Assert.Same(_transactions[2], _search.FindYoungest(Edge(2, 0)));
    }

    [Fact]
    public void A_cycle_is_found_among_many_waits_that_lead_astray()
    {
        // Long queues at both ends, and the cycle goes through the last of each.
        for (var i = 20; i < 40; i++) Edge(1, i);
        for (var i = 40; i < 59; i++) Edge(i, 0);
        Edge(1, 2);
        Edge(2, 3);
        Edge(3, 4);
        Edge(4, 0);
        Assert.Same(_transactions[4], _search.FindYoungest(Edge(0, 1)));
    }

    [Fact]
    public void What_an_earlier_search_has_marked_does_not_mislead_a_later_one()
    {
        Edge(0, 1);
        Edge(1, 2);
        var closing = Edge(2, 0);
        for (var i = 0; i < 5; i++) Assert.Same(_transactions[2], _search.FindYoungest(closing));
        Remove(closing);
        Edge(3, 0);
        for (var i = 0; i < 5; i++) Assert.Null(_search.FindYoungest(Edge(2, 4 + i)));
    }

    [Fact]
    public void Who_waited_for_the_waiter_of_an_earlier_search_does_not_count_in_a_later_one()
    {
        Edge(0, 1);
        Edge(1, 2);
        Edge(5, 0);
        Assert.Null(_search.FindYoungest(Edge(0, 1)));

        // 7 leads to the waiter of the earlier search by way of who waits for that.
        Edge(7, 5);
        Edge(9, 8);
        Assert.Null(_search.FindYoungest(Edge(8, 7)));
    }

    [Fact]
    public void The_members_of_a_cycle_that_was_found_before_do_not_count()
    {
        Edge(9, 8);
        var before = Edge(8, 9);
        Assert.Same(_transactions[9], _search.FindYoungest(before));
        Edge(0, 1);
        Assert.Same(_transactions[1], _search.FindYoungest(Edge(1, 0)));
    }

    [Fact]
    public void Several_ways_to_one_transaction_are_no_cycle()
    {
        Edge(1, 2);
        Edge(1, 3);
        Edge(2, 4);
        Edge(3, 4);
        Edge(4, 5);
        Edge(6, 0);
        Edge(7, 0);
        Edge(8, 6);
        Edge(8, 7);
        Edge(9, 8);
        Assert.Null(_search.FindYoungest(Edge(0, 1)));
        Assert.Same(_transactions[9], _search.FindYoungest(Edge(5, 9)));
    }

    [Fact]
    public void Where_one_end_waits_for_nobody_a_long_queue_at_the_other_is_not_searched()
    {
        for (var i = 10; i < 50; i++) Edge(i, 0);
        Assert.Null(_search.FindYoungest(Edge(0, 1)));
        Edge(1, 2);
        var before = _statistics.WaitSteps;
        Assert.Null(_search.FindYoungest(Edge(0, 1)));
        Assert.InRange(_statistics.WaitSteps - before, 1, 5);
    }

    [Fact]
    public void A_long_queue_ahead_is_not_searched_where_nobody_waits_behind()
    {
        for (var i = 10; i < 50; i++) Edge(1, i);
        Edge(2, 0);
        var before = _statistics.WaitSteps;
        Assert.Null(_search.FindYoungest(Edge(0, 1)));
        Assert.InRange(_statistics.WaitSteps - before, 1, 5);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_long_chain_at_one_end_is_not_followed_further_than_the_short_one_at_the_other(bool isBehind)
    {
        // 0 is about to wait for 1. One of the two chains ends after an edge, the other goes on and on.
        Edge(1, 2);
        Edge(3, 0);
        for (var i = 10; i < 50; i++)
        {
            if (isBehind) Edge(i, i == 10 ? 3 : i - 1);
            else Edge(i == 10 ? 2 : i - 1, i);
        }

        Assert.Null(_search.FindYoungest(Edge(0, 1)));
        Assert.InRange(_statistics.WaitSteps, 1, 10);
    }

    [Fact]
    public void Who_is_in_the_way_only_by_its_place_in_a_queue_does_not_lose()
    {
        // 9 stands in the queue ahead of 0, for the state that 1 holds; 1 waits for 0.
        var queue = _rig.Node.Engine.Partitions.All.Single().GetParticipant(_rig.Cluster.Accounts.KeyOf(0));
        queue.List(queue.Owner.BranchForAccess(_transactions[1])!, AccessKind.Update, listed: false);
        Edge(9, 1, queue);
        Edge(1, 0);
        Assert.Same(_transactions[1], _search.FindYoungest(Edge(0, 9, queue)));
    }

    [Fact]
    public void Nor_does_it_where_its_wait_is_the_one_that_closes_the_cycle()
    {
        var queue = _rig.Node.Engine.Partitions.All.Single().GetParticipant(_rig.Cluster.Accounts.KeyOf(0));
        queue.List(queue.Owner.BranchForAccess(_transactions[1])!, AccessKind.Update, listed: false);
        Edge(0, 9, queue);
        Edge(1, 0);
        Assert.Same(_transactions[1], _search.FindYoungest(Edge(9, 1, queue)));
    }

    private Wait Edge(int waiter, int target, Participant? queue = null)
    {
        var wait = new Wait(_transactions[waiter], _transactions[target], Wait.Sealed, 0, 0, queue);
        (wait.Waiter.Edges ??= new()).Waits.Add(wait);
        (wait.Target.Edges ??= new()).Waiters.Add(wait);
        return wait;
    }

    private static void Remove(Wait wait)
    {
        wait.Waiter.Edges!.Waits.Remove(wait);
        wait.Target.Edges!.Waiters.Remove(wait);
    }
}
