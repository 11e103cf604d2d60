using Polyjuice.Agents;

namespace Polyjuice.Tests.Agents.Choosing;

public class LoadFeaturesTests
{
    private static readonly IReadOnlyList<string> _names = LoadFeatures.Names(["occ", "locking"]);

    [Fact]
    public void Shares_are_of_accesses_and_of_attempts_and_sizes_are_logarithms()
    {
        var features = LoadFeatures.Of(
            Windows.Of(commits: 100, met: 20, updates: 75, accesses: 8),
            Windows.Length,
            nodes: 2,
            inForce: 1,
            tables: 2);
        Assert.Equal(_names.Count, features.Length);
        Assert.Equal(Math.Log(8), Of("accesses"), 1e-6);
        Assert.Equal(0.75, Of("updates"), 1e-6);
        Assert.Equal(0.2, Of("met"), 1e-6);
        Assert.Equal(0, Of("aborted"));

        // Sixteen clients on two nodes, each transaction of which takes
        // a sixteenth of the window's 250 ms for each of its hundred.
        Assert.Equal(Math.Log(8), Of("open"), 1e-6);
        Assert.Equal(Math.Log(40), Of("time"), 1e-6);
        Assert.Equal((0, 1), (Of("is occ"), Of("is locking")));

        float Of(string name) => features[_names.ToList().IndexOf(name)];
    }

    [Fact]
    public void A_window_in_which_nothing_happened_has_finite_features() =>
        Assert.All(
            LoadFeatures.Of(LoadCounts.None, Windows.Length, nodes: 1, inForce: 0, tables: 2),
            feature => Assert.True(float.IsFinite(feature)));
}
