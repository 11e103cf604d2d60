using Polyjuice.Contracts;
using Polyjuice.Simulation.Grains;
using Polyjuice.Storage;
using Polyjuice.Wire;

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
        s.Until(
            () => HasLogged(0, LogRecordKind.Staged) && HasLogged(1, LogRecordKind.Prepare)
                && HasLogged(2, LogRecordKind.Prepare),
            "all prepares are durable");
        s.TakeOver(0, first);
        s.TakeOver(0, second);
        s.Require(first.Engine.Owns(0), "the one that was deposed does not know");
        votes.Off();
        s.Until(record);
        s.Judge();
        Assert.Equal(Outcome.Committed, record.Outcome);

        bool HasLogged(int partition, LogRecordKind kind) => Scenarios.HasLogged(s, partition, kind, s.Agent);
    }

    /// <summary>Its first store finds out which of the two is the owner.</summary>
    [Fact]
    public void Who_has_loaded_a_row_refuses_nothing_that_its_owner_has_served()
    {
        var s = new Scenario(ProtocolBreaks.None, rows: true);
        s.Run(2_000_000);
        var owner = s.FirstOwner(4);
        var prepares = s.Wire.Hold(Scenario.Of(MessageKind.Prepare, to: owner.Id));
        var record = s.Start(s.Agent, Scenario.Once(Scenario.Updates("T", 4)));
        s.Until(() => prepares.Taken.Count > 0, "the row's owner is asked");
        var stores = s.Rows.Stores;
        s.TakeOver(4, s.Spare);
        Assert.Equal(stores, s.Rows.Stores);

        var replies = s.Wire.Hold(Scenario.Of(MessageKind.PrepareReply, owner.Id));
        var outcomes = s.Wire.Hold(Scenario.Of(MessageKind.AgentOutcome, owner.Id));
        var asked = s.Wire.Watch(Scenario.Of(MessageKind.Prepare, to: s.Spare.Id));
        var refusals = s.Wire.Watch(Scenario.Of(MessageKind.PrepareReply, s.Spare.Id));
        prepares.Release();
        s.Until(() => asked.Taken.Count > 0, "the agent asks who is said to own the row");
        s.Run(5_000);
        Assert.Empty(refusals.Taken);
        Assert.True(s.Rows.Stores > stores);

        replies.Release();
        outcomes.Release();
        s.Until(record);
        Assert.Equal(Outcome.Committed, record.Outcome);
        s.Judge();
    }
}
