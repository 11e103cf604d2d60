using Polyjuice.Lab.Load;
using Tpcc.Loading;
using Tpcc.Schema;

namespace Tpcc.Tests.Loading;

/// <summary>Clause 2.1.6.</summary>
public class NonUniformTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(0.01)]
    [InlineData(0.001)]
    public void Choices_stay_within_their_range_and_reach_all_of_it(double scale)
    {
        var size = new DatabaseSize(1, scale);
        var nonUniform = new NonUniform(size, 1);
        var random = new BenchmarkRandom(2);
        var customers = Enumerable.Range(0, 100 * size.Customers).Select(_ => nonUniform.Customer(random.Next))
            .ToHashSet();
        Assert.Equal((1, size.Customers), (customers.Min(), customers.Max()));
        var items = Enumerable.Range(0, 10_000).Select(_ => nonUniform.Item(random.Next)).ToList();
        Assert.All(items, item => Assert.InRange(item, 1, size.Items));
        var known = Enumerable.Range(0, size.LastNames).Select(LastNames.Of).ToHashSet();
        Assert.All(Enumerable.Range(0, 10_000), _ => Assert.Contains(nonUniform.LastName(random.Next), known));
    }

    [Fact]
    public void Some_customers_are_chosen_far_more_often_than_others()
    {
        var nonUniform = new NonUniform(new DatabaseSize(1, 1), 1);
        var random = new BenchmarkRandom(3);
        var counts = Enumerable.Range(0, 300_000).Select(_ => nonUniform.Customer(random.Next)).CountBy(id => id)
            .Select(c => c.Value).OrderDescending().ToList();
        // Uniformly, the most frequent of 3,000 would come up some 140 times.
        Assert.True(counts[0] > 500, $"{counts[0]} times");
    }

    [Theory]
    [InlineData(0, 65, true)]
    [InlineData(119, 0, true)]
    [InlineData(0, 64, false)]
    [InlineData(0, 120, false)]
    [InlineData(0, 96, false)]
    [InlineData(200, 88, false)]
    public void The_constants_of_loading_and_running_are_as_far_apart_as_the_standard_wants(
        int load, int run, bool isFine) =>
        Assert.Equal(isFine, NonUniform.AreFarEnough(load, run));

    [Theory]
    [InlineData(0, "BARBARBAR")]
    [InlineData(371, "PRICALLYOUGHT")]
    [InlineData(999, "EINGEINGEING")]
    public void Last_names_have_a_syllable_for_each_digit(int number, string name) =>
        Assert.Equal(name, LastNames.Of(number));
}
