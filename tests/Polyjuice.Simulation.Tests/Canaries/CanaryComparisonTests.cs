using Polyjuice.Simulation.Canaries;

namespace Polyjuice.Simulation.Tests.Canaries;

public class CanaryComparisonTests
{
    [Fact]
    public void A_broken_rule_is_refused_where_no_anomaly_follows()
    {
        var found = CanaryComparison.Run(AllCanaries.Get("NoCeiling"), 3);
        Assert.Equal(
            (3, 3, 1UL, 0, 0UL),
            (found.Seeds, found.Refused, found.FirstRefused, found.Anomalous, found.FirstAnomalous));
        Assert.Equal(["L4"], found.Rules);
    }
}
