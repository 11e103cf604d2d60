using Polyjuice.Contracts;
using Polyjuice.Tests.Agents;
using Polyjuice.Versions;

namespace Polyjuice.Tests.Versions;

public sealed class BranchTableTests
{
    private readonly EngineRig _rig = new();
    private readonly BranchTable _table = new();
    private long _sequence;

    [Fact]
    public void Each_branch_is_found_by_its_own_place_however_many_there_are()
    {
        var branches = Enumerable.Range(0, 40).Select(_ => Added()).ToList();
        Assert.Distinct(branches.Select(branch => branch.Ref));
        Assert.All(branches, branch => Assert.Same(branch, _table.Find(branch.Ref)));
    }

    [Fact]
    public void Who_is_forgotten_is_not_found_and_the_others_are()
    {
        var (first, second) = (Added(), Added());
        _table.Remove(first);
        Assert.Null(_table.Find(first.Ref));
        Assert.Same(second, _table.Find(second.Ref));
    }

    [Fact]
    public void A_place_is_used_again_and_its_old_name_finds_nobody()
    {
        var old = Added();
        _table.Remove(old);
        var next = Added();
        Assert.Equal(old.Ref.Slot, next.Ref.Slot);
        Assert.Null(_table.Find(old.Ref));
        Assert.Same(next, _table.Find(next.Ref));
    }

    [Fact]
    public void Forgetting_a_branch_twice_gives_its_place_away_once()
    {
        var old = Added();
        _table.Remove(old);
        _table.Remove(old);
        var (one, other) = (Added(), Added());
        Assert.NotEqual(one.Ref.Slot, other.Ref.Slot);
        _table.Remove(old);
        Assert.Same(one, _table.Find(one.Ref));
        Assert.Same(other, _table.Find(other.Ref));
    }

    [Fact]
    public void A_name_that_was_never_given_finds_nobody()
    {
        var branch = Added();
        Assert.Null(_table.Find(default));
        Assert.Null(_table.Find(branch.Ref with { Slot = -1 }));
        Assert.Null(_table.Find(branch.Ref with { Slot = 0 }));
        Assert.Null(_table.Find(branch.Ref with { Slot = branch.Ref.Slot + 1 }));
        Assert.Null(_table.Find(branch.Ref with { Slot = 16 }));
        Assert.Null(_table.Find(branch.Ref with { Slot = int.MaxValue }));
    }

    private Branch Added()
    {
        var transaction = new LocalTransaction(
            new TransactionId(new NodeId(9), ++_sequence), "T", 0, _rig.Node.Policies.Current);
        var branch = new Branch(_rig.Node.Engine.Partitions.All.Single(), transaction);
        _table.Add(branch);
        return branch;
    }
}
