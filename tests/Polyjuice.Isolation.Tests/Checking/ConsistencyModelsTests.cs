namespace Polyjuice.Isolation.Tests.Checking;

public class ConsistencyModelsTests
{
    [Theory]
    [InlineData(
        ConsistencyModel.ReadUncommitted, AnomalyKind.G0, AnomalyKind.GarbageRead, AnomalyKind.DuplicateElements,
        AnomalyKind.CyclicVersions)]
    [InlineData(
        ConsistencyModel.ReadCommitted, AnomalyKind.G1a, AnomalyKind.G1b, AnomalyKind.G1c,
        AnomalyKind.IncompatibleOrder, AnomalyKind.DirtyUpdate, AnomalyKind.FutureRead)]
    [InlineData(
        ConsistencyModel.SnapshotIsolation, AnomalyKind.GSingle, AnomalyKind.GNonadjacent, AnomalyKind.LostUpdate,
        AnomalyKind.Internal)]
    [InlineData(ConsistencyModel.Serializable, AnomalyKind.G2Item)]
    [InlineData(
        ConsistencyModel.StrongSessionSerializable, AnomalyKind.G0Process, AnomalyKind.G1cProcess,
        AnomalyKind.GSingleProcess, AnomalyKind.GNonadjacentProcess, AnomalyKind.G2ItemProcess)]
    [InlineData(
        ConsistencyModel.StrictSerializable, AnomalyKind.G0RealTime, AnomalyKind.G1cRealTime,
        AnomalyKind.GSingleRealTime, AnomalyKind.GNonadjacentRealTime, AnomalyKind.G2ItemRealTime)]
    public void A_model_forbids_what_weaker_ones_forbid_and_more(ConsistencyModel model, params AnomalyKind[] added)
    {
        Assert.Equal(
            added.Order(), Enum.GetValues<AnomalyKind>().Where(k => ConsistencyModels.WeakestForbidding(k) == model));
        foreach (var kind in added)
        {
            Assert.All(
                Enum.GetValues<ConsistencyModel>(),
                other => Assert.Equal(other >= model, ConsistencyModels.Forbids(other, kind)));
        }
    }

    [Fact]
    public void Every_anomaly_and_every_model_has_a_name_of_its_own()
    {
        Assert.Distinct(Enum.GetValues<AnomalyKind>().Select(AnomalyNames.Of));
        Assert.Distinct(Enum.GetValues<ConsistencyModel>().Select(AnomalyNames.Of));
    }
}
