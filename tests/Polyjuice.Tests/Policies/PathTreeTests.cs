using System.Text;
using Polyjuice.Contracts;
using Polyjuice.Policies;
using Polyjuice.Wire;

namespace Polyjuice.Tests.Policies;

public sealed class PathTreeTests
{
    private readonly PathTree _tree = new(new SiteRegistry());

    [Fact]
    public void The_same_path_is_the_same_node_however_it_is_found()
    {
        var root = _tree.GetOrAdd("Pay", "ITeller.Pay");
        var method = new GrainMethod("IAccount.Deposit");
        var child = root.Child(method);
        Assert.Equal("ITeller.Pay>IAccount.Deposit", child.Path);
        Assert.Same(child, root.Child(method));
        Assert.Same(child, root.Child(new GrainMethod("IAccount.Deposit")));
        Assert.Same(child, _tree.GetOrAdd("Pay", "ITeller.Pay>IAccount.Deposit"));
        Assert.Same(child, _tree.Find(child.Key));
        Assert.NotSame(root, _tree.GetOrAdd("Audit", "ITeller.Pay"));
    }

    [Fact]
    public void A_path_that_only_another_node_has_seen_is_added()
    {
        var elsewhere = new PathTree(new SiteRegistry()).GetOrAdd("Pay", $"ITeller.{new string('x', 600)}");
        var node = _tree.Find(elsewhere.Key);
        Assert.Equal((elsewhere.Type, elsewhere.Path), (node.Type, node.Path));
        Assert.Same(node, _tree.Find(elsewhere.Key));
        Assert.Throws<CodingException>(() => _tree.Find(Encoding.UTF8.GetBytes("no line end")));
    }

    [Fact]
    public void A_site_is_interned_by_path_state_and_kind()
    {
        var node = _tree.GetOrAdd("Pay", "ITeller.Pay", "fee");
        var state = _tree.StateClass("Account.balance");
        Assert.Same(state, _tree.StateClass("Account.balance"));
        var read = node.Site(state, AccessKind.Read);
        Assert.Same(read, node.Site(state, AccessKind.Read));
        var update = node.Site(state, AccessKind.Update);
        var other = node.Site(_tree.StateClass("Savings.balance"), AccessKind.Read);
        Assert.Equal(new SiteKey("Pay", "ITeller.Pay", "Account.balance", AccessKind.Read, "fee"), read.Key);
        Assert.Equal([read, update, other], _tree.Registry.Sites);
        Assert.Same(read, _tree.Registry.GetOrAddSite(read.Key));
    }
}
