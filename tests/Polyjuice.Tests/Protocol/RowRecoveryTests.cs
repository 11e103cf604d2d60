using Polyjuice.Commit;
using Polyjuice.Policies;
using Polyjuice.Simulation.Grains;
using Polyjuice.Simulation.Network;
using Polyjuice.Simulation.Storage;

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
        s.Until(() => votes.Taken.Count > 0 && s.Rows.Content(4).PendingStates.Count > 0, "the writer is prepared in the row and undecided");
        var reader = s.Start(s.Agent, new TransactionSpec("Reader", Step.Sequence(Step.Read(4), Step.Update(1))));
        s.Until(() => Prepared(s).Length == 2, "the reader's prepare is in the row");
        Assert.Equal(["Reader", "Writer"], Prepared(s));

        s.TakeOver(4, s.Spare);
        var recovered = s.Spare.Engine.Owners.Single(owner => owner.Participants.Any(participant => participant.Key == s.Cluster.KeyOf(4)));
        var (read, written) = (recovered.Branches.Single(branch => branch.Transaction.Type == "Reader"), recovered.Branches.Single(branch => branch.Transaction.Type == "Writer"));
        Assert.Equal([written], read.DependsOn);
        Assert.Null(read.LostDependencies);
        Assert.Equal(1, written.Dependents);

        votes.Release();
        s.Until(writer, reader);
        s.Judge();
    }

    private static string[] Prepared(Scenario s) => [.. s.Cluster.TapOf(4).Image(s.Rows.Content(4)).Prepares.Select(prepare => prepare.Type)];
}
