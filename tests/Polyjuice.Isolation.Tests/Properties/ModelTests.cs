using FsCheck;
using FsCheck.Fluent;
using Polyjuice.Isolation.Tests.Harness;
using Polyjuice.Tests.Shared;

namespace Polyjuice.Isolation.Tests.Properties;

/// <summary>What is said of larger histories, for which no search through all orders is possible.</summary>
public class ModelTests
{
    [Fact]
    public void A_database_with_snapshots_shows_write_skew_and_nothing_worse()
    {
        var skews = 0;
        ForSeeds(1_000, seed =>
        {
            var report = IsolationChecker.Check(SnapshotHistory.Of(seed, 60, 6));
            Assert.True(report.Holds(ConsistencyModel.SnapshotIsolation), $"seed {seed}: {report}");

            // Its snapshots are never old, so that nothing is wrong that is only late.
            Assert.All(
                report.Counts.Keys,
                kind => Assert.Contains(kind, new[] { AnomalyKind.G2Item, AnomalyKind.G2ItemRealTime }));
            foreach (var anomaly in report.Anomalies) Expect.IsExplained(anomaly);
            if (!report.Holds(ConsistencyModel.Serializable)) skews++;
        });
        Assert.InRange(skews, 100, 1_000);
    }

    [Theory]
    [InlineData(Keys.Lists)]
    [InlineData(Keys.UpdatedRegisters)]
    [InlineData(Keys.BlindRegisters)]
    public void Every_cycle_that_is_shown_is_one_and_bears_its_right_name(Keys kind)
    {
        var seen = new HashSet<AnomalyKind>();
        ForSeeds(500, seed =>
        {
            var report = IsolationChecker.Check(SerialHistory.Mutated(seed, kind, 80, 8, 12));
            foreach (var anomaly in report.Anomalies) Expect.IsExplained(anomaly);
            seen.UnionWith(report.Counts.Keys);
        });
        Assert.True(seen.IsSupersetOf([AnomalyKind.GSingle, AnomalyKind.GSingleRealTime]), string.Join(", ", seen));
    }

    private static void ForSeeds(int count, Action<int> check) =>
        Prop.ForAll(Gen.Choose(1, int.MaxValue).ToArbitrary(), check).Holds(count);
}
