using Polyjuice.Policies;
using Polyjuice.Training.Cluster.Races;
using Polyjuice.Training.Races;

namespace Polyjuice.Training.Cluster.Tests.Races;

public sealed class RaceProgressTests
{
    private static readonly PolicyDocument s_table = BuiltinPolicies.Get("occ").Document;

    [Fact]
    public void It_grows_to_all_of_it_and_never_falls()
    {
        var progress = new RaceProgress(
            tables: 5, new RaceOptions { RoundsMax = 3 }, verdictRounds: 4, verdictTables: 3);
        var shares = new List<double>();
        Measure(1, 5);
        Measure(2, 5);
        Measure(3, 2);
        for (var round = 4; round <= 7; round++) Measure(round, 3);

        Assert.Equal(shares.Order(), shares);
        Assert.Equal(1, shares[^1]);
        Assert.InRange(shares[0], 0.01, 0.05);

        void Measure(int round, int tables)
        {
            for (var i = 0; i < tables; i++) shares.Add(progress.Add(round, s_table, 100).Share);
        }
    }

    [Fact]
    public void It_says_where_it_is_and_what_was_measured()
    {
        var progress = new RaceProgress(2, new RaceOptions { RoundsMax = 3 }, 4, 3);
        Assert.StartsWith(
            "race, round 1 of 3: occ 1,234/s, ", progress.Add(1, s_table, 1_234).Text, StringComparison.Ordinal);
        Assert.StartsWith(
            "verdict, round 2 of 4: occ 10/s, ", progress.Add(5, s_table, 10).Text, StringComparison.Ordinal);
    }
}
