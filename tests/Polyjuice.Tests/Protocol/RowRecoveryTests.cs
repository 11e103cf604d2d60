using Polyjuice.Contracts;
using Polyjuice.Policies;
using Polyjuice.Simulation.Grains;
using Polyjuice.Simulation.Network;
using Polyjuice.Simulation.Storage;
using Polyjuice.Wire;

namespace Polyjuice.Tests.Protocol;

/// <summary>A row does not say in which order those came that wrote nothing there.</summary>
public sealed class RowRecoveryTests
{
    [Fact]
    public void A_readers_dependency_is_found_although_its_prepare_is_read_back_first()
    {
        var s = new Scenario(ProtocolBreaks.None, PolicyActions.ReadDirty, rows: true);
        var votes = s.Wire.Hold(Scenario.Of(MessageKind.Vote, s.FirstOwner(4).Id, s.FirstOwner(2).Id));
        var writer = s.Start(s.OtherAgent, Scenario.Updates("Writer", 4, 2));
        s.Until(
            () => votes.Taken.Count > 0 && s.Rows.Content(4).PendingStates.Count > 0,
            "the writer is prepared in the row and undecided");
        var reader = s.Start(s.Agent, new TransactionSpec("Reader", Step.Sequence(Step.Read(4), Step.Update(1))));
        s.Until(() => Prepared(s).Length == 2, "the reader's prepare is in the row");
        Assert.Equal(["Reader", "Writer"], Prepared(s));

        s.TakeOver(4, s.Spare);
        var recovered = s.Spare.Engine.Partitions.All.Single(
            owner => owner.Participants.Any(participant => participant.Key == s.Cluster.Accounts.KeyOf(4)));
        var (read, written) =
            (recovered.Branches.Single(
                branch => branch.Transaction.Type == "Reader"), recovered.Branches.Single(
                    branch => branch.Transaction.Type == "Writer"));
        Assert.Equal([written], read.DependsOn);
        Assert.Null(read.LostDependencies);
        Assert.Equal(1, written.Dependents);

        votes.Release();
        s.Until(writer, reader);
        s.Judge();
    }

    /// <summary>It does not say who takes part, so by it alone the manager can't know whether all have voted.</summary>
    [Fact]
    public void A_vote_from_a_row_that_was_read_back_decides_nothing_before_the_manager_has_its_own_prepare()
    {
        var s = new Scenario(ProtocolBreaks.None, rows: true);
        var manager = s.FirstOwner(1);
        var queries = s.Wire.Hold(Scenario.Of(MessageKind.Query, to: manager.Id));
        var prepare = s.Wire.Hold(Scenario.Of(MessageKind.Prepare, to: manager.Id));

        // It had them all in memory.
        s.Wire.Drop(Scenario.Of(MessageKind.Vote, s.FirstOwner(4).Id, manager.Id));
        var record = s.Start(s.Agent, Scenario.Once(Scenario.Updates("T", 4, 1)));
        s.Until(() => s.Rows.Content(4).PendingStates.Count == 1, "it is prepared in the row");

        s.TakeOver(4, s.Spare);
        var votes = s.Wire.Watch(Scenario.Of(MessageKind.Vote, s.Spare.Id, manager.Id));
        s.Until(() => votes.Taken.Count > 0, "who has read the row back votes");
        s.Run(2_000);
        var id = new TappedMessage(votes.Taken[0]).Message.Transaction;
        Assert.DoesNotContain(
            manager.Engine.Partitions.All.Single(owner => owner.Partition == 1).Decisions,
            decision => decision.Id == id);

        prepare.Release();
        queries.Release();
        s.Until(record);
        s.Judge();
    }

    private static string[] Prepared(Scenario s) =>
        [.. s.Cluster.TapOf(4).Image(s.Rows.Content(4)).Prepares.Select(prepare => prepare.Type)];
}
