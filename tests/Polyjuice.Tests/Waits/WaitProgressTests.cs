using Polyjuice.Contracts;
using Polyjuice.Tests.Agents;
using Polyjuice.Versions;
using Polyjuice.Waits;

namespace Polyjuice.Tests.Waits;

/// <summary>On wait graphs made by hand: transaction n has got on at time n.</summary>
public sealed class WaitProgressTests
{
    private readonly EngineRig _rig = new();
    private readonly WaitProgress _progress = new();
    private readonly LocalTransaction[] _transactions;

    public WaitProgressTests()
    {
        _transactions =
        [
            .. Enumerable.Range(0, 10)
            .Select(
                n => new LocalTransaction(new TransactionId(new NodeId(9), n + 1), "T", 0, _rig.Node.Policies.Current)
                {
                    Edges = new WaitNode { ChangedAt = n }
                })
        ];
        _progress.Begin();
    }

    [Fact]
    public void Who_has_never_waited_nor_been_waited_for_has_never_got_on() =>
        Assert.Equal(
            0,
            _progress.Of(
                new LocalTransaction(new TransactionId(new NodeId(9), 99), "T", 0, _rig.Node.Policies.Current)));

    [Fact]
    public void It_is_the_latest_of_all_that_it_waits_for_directly_or_not()
    {
        Edge(1, 2);
        Edge(2, 7);
        Edge(7, 3);
        Edge(1, 5);
        Edge(9, 1);
        Assert.Equal(7, _progress.Of(_transactions[1]));
        Assert.Equal(7, _progress.Of(_transactions[2]));
        Assert.Equal(7, _progress.Of(_transactions[7]));
        Assert.Equal(3, _progress.Of(_transactions[3]));
        Assert.Equal(5, _progress.Of(_transactions[5]));
        Assert.Equal(9, _progress.Of(_transactions[9]));
    }

    [Fact]
    public void Its_own_progress_counts_as_well()
    {
        Edge(8, 2);
        Edge(2, 4);
        Assert.Equal(8, _progress.Of(_transactions[8]));
    }

    [Fact]
    public void Two_ways_to_one_are_walked_once_and_both_count()
    {
        Edge(1, 2);
        Edge(1, 3);
        Edge(2, 6);
        Edge(3, 6);
        Assert.Equal(6, _progress.Of(_transactions[1]));
        Assert.Equal(6, _progress.Of(_transactions[3]));
    }

    [Fact]
    public void A_circle_ends_and_has_the_progress_of_its_members()
    {
        Edge(1, 6);
        Edge(6, 2);
        Edge(2, 1);
        Assert.Equal(6, _progress.Of(_transactions[1]));
    }

    [Fact]
    public void A_circle_has_the_progress_of_those_that_it_waits_for_as_well()
    {
        Edge(1, 6);
        Edge(6, 2);
        Edge(2, 1);
        Edge(2, 9);
        Assert.Equal(9, _progress.Of(_transactions[1]));
    }

    [Fact]
    public void Each_member_of_a_circle_has_the_progress_of_the_one_where_the_walk_began()
    {
        Edge(8, 2);
        Edge(2, 3);
        Edge(3, 8);
        Assert.Equal(8, _progress.Of(_transactions[8]));
        Assert.Equal(8, _progress.Of(_transactions[3]));
    }

    [Fact]
    public void What_has_changed_since_is_seen_by_the_next_walk_only()
    {
        Edge(1, 2);
        Assert.Equal(2, _progress.Of(_transactions[1]));
        _transactions[2].Edges!.ChangedAt = 20;
        Assert.Equal(2, _progress.Of(_transactions[1]));
        _progress.Begin();
        Assert.Equal(20, _progress.Of(_transactions[1]));
    }

    private void Edge(int waiter, int target)
    {
        var wait = new Wait(_transactions[waiter], _transactions[target], Wait.Sealed, 0, 0, null);
        wait.Waiter.Edges!.Waits.Add(wait);
        wait.Target.Edges!.Waiters.Add(wait);
    }
}
