using Polyjuice.Policies;

namespace Polyjuice.Tests.Policies.Choosing;

public class RegressionTreeTests
{
    // x0 <= 0.5 ? 1 : (x1 <= 2 ? 10 : 20)
    private static readonly RegressionTree _tree = new()
    {
        Feature = [0, 1], AtMost = [0.5f, 2f], Left = [~0, ~1], Right = [1, ~2], Leaf = [1, 10, 20],
    };

    [Theory]
    [InlineData(0.4f, 9f, 1)]
    [InlineData(0.5f, 9f, 1)]
    [InlineData(0.6f, 2f, 10)]
    [InlineData(0.6f, 2.1f, 20)]
    public void What_is_at_most_the_threshold_goes_left(float first, float second, double expected) =>
        Assert.Equal(expected, _tree.Of([first, second]));

    [Fact]
    public void A_tree_of_one_leaf_says_the_same_of_everything() =>
        Assert.Equal(3, new RegressionTree { Feature = [], AtMost = [], Left = [], Right = [], Leaf = [3] }.Of([1f]));

    [Fact]
    public void It_is_whole_if_each_path_ends_in_a_leaf()
    {
        Assert.True(_tree.IsWhole(features: 2));
        Assert.False(_tree.IsWhole(features: 1));
        Assert.False((_tree with { Right = [0, ~2] }).IsWhole(2));
        Assert.False((_tree with { Left = [1, ~1] }).IsWhole(2));
        Assert.False((_tree with { Right = [1, ~3] }).IsWhole(2));
        Assert.False((_tree with { Right = [2, ~2] }).IsWhole(2));
        Assert.False((_tree with { Leaf = [1, 10] }).IsWhole(2));
    }
}
