using System.Globalization;
using Polyjuice.Simulation.Canaries;

namespace Polyjuice.Cli.Checking;

/// <summary>
/// Prints for each canary of the protocol in how many seeds the specification
/// notices it, and in how many all else does: docs/internals/simulation.md.
/// </summary>
internal static class ComparisonTable
{
    /// <summary>Writes the table.</summary>
    public static int Write(TextWriter output, int seeds, CancellationToken cancellation)
    {
        output.WriteLine("| canary | rule | shape | seeds | refused | first | as | anomalies | first |");
        output.WriteLine("|---|---|---|---|---|---|---|---|---|");
        foreach (var canary in AllCanaries.List)
        {
            // What only the engine has, or rows, is not specified.
            if (canary.Rule is "engine" or "rows") continue;
            if (cancellation.IsCancellationRequested) break;
            var found = CanaryComparison.Run(canary, seeds, cancellation);
            output.WriteLine(string.Create(
                CultureInfo.InvariantCulture,
                $"| {canary.Name} | {canary.Rule} | {canary.Shape} | {found.Seeds} | {found.Refused} | "
                + $"{First(found.FirstRefused)} | {string.Join(", ", found.Rules)} | {found.Anomalous} | "
                + $"{First(found.FirstAnomalous)} |"));
            output.Flush();
        }

        return ExitCodes.Done;
    }

    private static string First(ulong seed) => seed == 0 ? "" : seed.ToString(CultureInfo.InvariantCulture);
}
