using Polyjuice.Contracts;
using Polyjuice.Tests.Agents;

namespace Polyjuice.Tests.Partitions.Owners;

/// <summary>What a node knows of an attempt that ended, and that it hears of again afterwards.</summary>
public sealed class ForgettingTests
{
    [Fact]
    public void What_was_forgotten_does_not_take_with_it_what_is_known_by_the_same_name_since()
    {
        var engine = new EngineRig(nodes: 2).Cluster.Node(0).Engine;
        var id = new TransactionId(new NodeId(2), 1_000_000);
        var first = engine.Transactions.FindOrCreateShell(id, "Transfer");
        engine.Lifecycle.End(first, aborted: true);
        Assert.Null(engine.Transactions.Find(id));

        // A call that was slower than the word of its end names it: somebody comes to wait for it, and only what is
        // known by its name hears that it is over.
        var second = engine.Transactions.FindOrCreateShell(id, "Transfer");
        engine.Lifecycle.End(first, aborted: true);
        Assert.Same(second, engine.Transactions.Find(id));
    }
}
