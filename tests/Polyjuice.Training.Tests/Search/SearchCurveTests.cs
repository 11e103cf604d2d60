using Polyjuice.Training.Search;

namespace Polyjuice.Training.Tests.Search;

public class SearchCurveTests
{
    private static readonly SearchCurve s_one = Curve((10, 100), (30, 120), (50, 110));

    [Theory]
    [InlineData(1, 100)]
    [InlineData(10, 100)]
    [InlineData(29, 100)]
    [InlineData(30, 120)]
    [InlineData(900, 110)]
    public void It_is_worth_what_its_last_checkpoint_was(long evaluations, double expected) =>
        Assert.Equal(expected, s_one.At(evaluations));

    [Fact]
    public void What_it_first_reaches_counts_even_if_a_later_choice_was_worse()
    {
        Assert.Equal(s_one.Checkpoints[0], s_one.FirstReaching(90));
        Assert.Equal(s_one.Checkpoints[1], s_one.FirstReaching(115));
        Assert.Null(s_one.FirstReaching(121));
    }

    [Fact]
    public void The_mean_begins_where_all_have_begun_and_changes_where_any_does()
    {
        var mean = SearchCurve.MeanOf([s_one, Curve((20, 200), (40, 300))]);

        Assert.Equal([new(20, 150), new(30, 160), new(40, 210), new(50, 205)], mean.Checkpoints);
        Assert.Throws<ArgumentException>(() => SearchCurve.MeanOf([]));
    }

    private static SearchCurve Curve(params (long Evaluations, double Score)[] checkpoints) =>
        new("ours", 1, [.. checkpoints.Select(one => new SearchCheckpoint(one.Evaluations, one.Score))]);
}
