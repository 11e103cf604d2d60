namespace Polyjuice.Isolation.Tests.Harness;

internal static class Expect
{
    /// <summary>Exactly these kinds, whatever their number; returns the report.</summary>
    public static IsolationReport Anomalies(History history, params AnomalyKind[] kinds) => Anomalies(history, new CheckOptions(), kinds);

    public static IsolationReport Anomalies(History history, CheckOptions options, params AnomalyKind[] kinds)
    {
        var report = IsolationChecker.Check(history, options);
        Assert.True(kinds.Order().SequenceEqual(report.Counts.Keys.Order()), $"expected {string.Join(", ", kinds)}; {report}");
        Assert.Equal(report.Counts.Keys.Order(), report.Anomalies.Select(a => a.Kind).Distinct().Order());
        foreach (var anomaly in report.Anomalies) IsExplained(anomaly);
        return report;
    }

    public static void Fails(this IsolationReport report, params ConsistencyModel[] models) => Assert.Equal(models, report.FailedModels);

    /// <summary>A cycle's edges hang together, and visit no transaction twice.</summary>
    private static void IsExplained(Anomaly anomaly)
    {
        Assert.NotEmpty(anomaly.Explanation);
        for (var i = 0; i < anomaly.Cycle.Count; i++)
        {
            Assert.Equal(anomaly.Cycle[i].To, anomaly.Cycle[(i + 1) % anomaly.Cycle.Count].From);
            Assert.Contains($"T{anomaly.Cycle[i].From.Number}", anomaly.Explanation);
        }

        Assert.Equal(anomaly.Cycle.Count, anomaly.Cycle.Select(s => s.From.Number).Distinct().Count());
    }
}
