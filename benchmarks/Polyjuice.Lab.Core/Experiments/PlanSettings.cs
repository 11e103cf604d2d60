using System.Globalization;
using Polyjuice.Lab.Clusters;
using Polyjuice.Lab.Running;

namespace Polyjuice.Lab.Experiments;

/// <summary>How settings are written beside results, the same in all experiments.</summary>
internal static class PlanSettings
{
    /// <summary>Those of a workload that is measured by a plan.</summary>
    /// <param name="plan">The plan.</param>
    /// <param name="rounds">How often.</param>
    public static Dictionary<string, string> Of(BenchmarkPlan plan, int rounds) => new()
    {
        ["sizes"] = plan.Workload.Describe(plan.Parameters),
        ["clients"] = plan.Clients.ToString(CultureInfo.InvariantCulture),
        ["cluster"] = Of(plan.Shape),
        ["seconds"] = plan.Measured.TotalSeconds.ToString(CultureInfo.InvariantCulture),
        ["rounds"] = rounds.ToString(CultureInfo.InvariantCulture),
        ["seed"] = plan.Seed.ToString(CultureInfo.InvariantCulture),
    };

    private static string Of(ClusterShape shape) =>
        string.Create(
            CultureInfo.InvariantCulture,
            $"{shape.Silos} silo(s), {shape.NetworkLatency.TotalMilliseconds:0.###} ms a message, "
            + $"{shape.AppendLatency.TotalMilliseconds:0.###} ms an append");
}
