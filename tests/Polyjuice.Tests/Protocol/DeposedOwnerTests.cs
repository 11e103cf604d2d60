using Polyjuice.Commit;

namespace Polyjuice.Tests.Protocol;

/// <summary>I4: owners that were deposed, and do not know, stand in nobody's way for ever.</summary>
public sealed class DeposedOwnerTests
{
    [Fact]
    public void A_deposed_owner_that_is_idle_does_not_swallow_what_its_own_node_asks_the_successor()
    {
        var s = new Scenario(ProtocolBreaks.None);
        var node = s.FirstOwner(1);
        s.TakeOver(0, node);
        s.TakeOver(0, s.Spare);
        s.Require(node.Engine.Owns(0), "the deposed owner does not know");
        var votes = s.Wire.Drop(Scenario.Of(MessageKind.Vote, from: node.Id));
        var outcomes = s.Wire.Drop(Scenario.Of(MessageKind.Outcome, to: node.Id));
        var record = s.Start(s.Agent, Scenario.Once(Scenario.Updates("T", 1, 0)));
        s.Until(record);
        votes.Off();
        outcomes.Off();
        s.Until(() => !node.Engine.Owns(0), "the deposed owner finds out from what its own node asks");
        s.Judge();
    }
}
