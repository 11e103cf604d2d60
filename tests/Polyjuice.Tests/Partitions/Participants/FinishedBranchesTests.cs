using Polyjuice.Contracts;
using Polyjuice.Partitions;
using Polyjuice.Tests.Agents;
using Polyjuice.Versions;

namespace Polyjuice.Tests.Partitions.Participants;

public sealed class FinishedBranchesTests
{
    private static readonly NodeId s_agent = new(9);
    private static readonly NodeId s_other = new(10);

    private readonly EngineRig _rig = new();
    private readonly FinishedBranches _finished = new();

    [Fact]
    public void Those_that_are_older_than_the_oldest_live_one_come_in_the_order_in_which_they_were_finished()
    {
        var (late, early, live) = (Add(s_agent, 2), Add(s_agent, 1), Add(s_agent, 3));
        Assert.Same(late, _finished.TakeBefore(s_agent, 3));
        Assert.Same(early, _finished.TakeBefore(s_agent, 3));
        Assert.Null(_finished.TakeBefore(s_agent, 3));
        Assert.True(_finished.HasAny(s_agent));
        Assert.Same(live, _finished.TakeBefore(s_agent, 4));
        Assert.False(_finished.HasAny(s_agent));
    }

    [Fact]
    public void One_that_is_live_keeps_those_behind_it()
    {
        Add(s_agent, 5);
        Add(s_agent, 1);
        Assert.Null(_finished.TakeBefore(s_agent, 5));
    }

    [Fact]
    public void Agents_do_not_wait_for_each_other()
    {
        Add(s_agent, 5);
        var other = Add(s_other, 1);
        Assert.Equal([s_agent, s_other], _finished.Agents);
        Assert.Null(_finished.TakeBefore(s_agent, 2));
        Assert.Same(other, _finished.TakeBefore(s_other, 2));
    }

    [Fact]
    public void An_agent_can_be_taken_away_while_all_are_gone_through()
    {
        Add(s_agent, 1);
        Add(s_other, 1);
        foreach (var agent in _finished.Agents) _finished.Remove(agent);
        Assert.Empty(_finished.Agents);
        Assert.Null(_finished.TakeBefore(s_agent, 2));
        Assert.False(_finished.HasAny(s_agent));
    }

    private Branch Add(NodeId agent, long sequence)
    {
        var transaction = new LocalTransaction(new TransactionId(agent, sequence), "T", 0, _rig.Node.Policies.Current);
        var branch = new Branch(_rig.Node.Engine.Partitions.All.Single(), transaction);
        _finished.Add(branch);
        return branch;
    }
}
