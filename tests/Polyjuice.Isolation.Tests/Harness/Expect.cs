namespace Polyjuice.Isolation.Tests.Harness;

internal static class Expect
{
    /// <summary>Exactly these kinds, whatever their number; returns the report.</summary>
    public static IsolationReport Anomalies(History history, params AnomalyKind[] kinds) =>
        Anomalies(history, new CheckOptions(), kinds);

    public static IsolationReport Anomalies(History history, CheckOptions options, params AnomalyKind[] kinds)
    {
        var report = IsolationChecker.Check(history, options);
        Assert.True(
            kinds.Order().SequenceEqual(report.Counts.Keys.Order()), $"expected {string.Join(", ", kinds)}; {report}");
        Assert.Equal(report.Counts.Keys.Order(), report.Anomalies.Select(a => a.Kind).Distinct().Order());
        foreach (var anomaly in report.Anomalies) IsExplained(anomaly);
        return report;
    }

    public static void Fails(this IsolationReport report, params ConsistencyModel[] models) =>
        Assert.Equal(models, report.FailedModels);

    /// <summary>
    /// A cycle's edges hang together, visit no transaction twice, and are of the kinds that its name says.
    /// </summary>
    public static void IsExplained(Anomaly anomaly)
    {
        Assert.NotEmpty(anomaly.Explanation);
        for (var i = 0; i < anomaly.Cycle.Count; i++)
        {
            Assert.Equal(anomaly.Cycle[i].To, anomaly.Cycle[(i + 1) % anomaly.Cycle.Count].From);
            Assert.Contains($"T{anomaly.Cycle[i].From.Number}", anomaly.Explanation);
        }

        Assert.Equal(anomaly.Cycle.Count, anomaly.Cycle.Select(s => s.From.Number).Distinct().Count());
        if (anomaly.Cycle.Count > 0)
            Assert.Equal(AnomalyNames.Of(anomaly.Kind), NameOf([.. anomaly.Cycle.Select(s => s.Kind)]));
        foreach (var step in anomaly.Cycle.Where(s => s.Kind == DependencyKind.RealTime))
            Assert.True(step.From.CompleteIndex < step.To.InvokeIndex);
        foreach (var step in anomaly.Cycle.Where(s => s.Kind == DependencyKind.Process))
            Assert.Equal(step.From.Process, step.To.Process);
    }

    private static string NameOf(DependencyKind[] cycle)
    {
        var anti = cycle.Count(k => k == DependencyKind.ReadWrite);
        var isAdjacent = cycle.Where((k, i) => k == DependencyKind.ReadWrite && cycle[(i + 1) % cycle.Length] == k)
            .Any();
        var name = anti switch
        {
            0 => cycle.Contains(DependencyKind.WriteRead) ? "G1c" : "G0",
            1 => "G-single",
            _ => isAdjacent ? "G2-item" : "G-nonadjacent",
        };
        return name
            + (cycle.Contains(DependencyKind.RealTime)
                ? "-realtime"
                : cycle.Contains(DependencyKind.Process) ? "-process" : "");
    }
}
