using Polyjuice.Contracts;

namespace Polyjuice.Tests.Contracts;

public class EngineStatisticsTests
{
    [Fact]
    public void Sums_over_engines_go_by_the_names_of_types_because_their_numbers_differ()
    {
        var (one, other, sum) = (new EngineStatistics(), new EngineStatistics(), new EngineStatistics());
        Count(one, 0, "Pay", attempts: 3, aborts: 1);
        Count(one, 5, "Order", attempts: 2, aborts: 0);
        Count(other, 2, "Pay", attempts: 10, aborts: 4);
        sum.Add(one);
        sum.Add(other);
        Assert.Equal(
            [("Order", 2L, 0L), ("Pay", 13L, 5L)],
            sum.ByType.OrderBy(type => type.Type, StringComparer.Ordinal)
                .Select(type => (type.Type, type.Attempts, type.Aborts)));
    }

    [Fact]
    public void A_type_keeps_its_counters()
    {
        var statistics = new EngineStatistics();
        var first = statistics.OfType(1, "Pay");
        statistics.OfType(7, "Order");
        Assert.Same(first, statistics.OfType(1, "Pay"));
    }

    private static void Count(EngineStatistics statistics, int typeId, string type, int attempts, int aborts)
    {
        var counters = statistics.OfType(typeId, type);
        counters.Attempts += attempts;
        counters.Aborts += aborts;
    }
}
