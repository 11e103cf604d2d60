using Polyjuice.Commit;
using Polyjuice.Simulation.Grains;

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

    [Fact]
    public void Two_epochs_of_a_manager_get_the_votes_that_they_ask_for_each_beside_a_participant_that_the_other_one_asks()
    {
        var s = new Scenario(ProtocolBreaks.None);
        var (first, second) = (s.FirstOwner(1), s.FirstOwner(2));
        var votes = s.Wire.Drop(Scenario.Of(MessageKind.Vote));
        var record = s.Start(s.Agent, Scenario.Once(Scenario.Updates("T", 1, 2, 0)));
        s.Until(() => HasLogged(0, LogRecordKind.Staged) && HasLogged(1, LogRecordKind.Prepare) && HasLogged(2, LogRecordKind.Prepare), "all prepares are durable");
        s.TakeOver(0, first);
        s.TakeOver(0, second);
        s.Require(first.Engine.Owns(0), "the one that was deposed does not know");
        votes.Off();
        s.Until(record);
        s.Judge();
        Assert.Equal(Outcome.Committed, record.Outcome);

        bool HasLogged(int partition, LogRecordKind kind) => Scenarios.HasLogged(s, partition, kind, s.Agent);
    }
}
