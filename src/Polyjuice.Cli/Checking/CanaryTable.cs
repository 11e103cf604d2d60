using System.Globalization;
using Polyjuice.Simulation.Canaries;

namespace Polyjuice.Cli.Checking;

/// <summary>Looks for every canary, and prints how many seeds it took: the table of docs/simulation.md.</summary>
internal static class CanaryTable
{
    /// <summary>Writes the table; <see cref="ExitCodes.No"/> when one was not found.</summary>
    public static int Write(TextWriter output, int seedsMax, CancellationToken cancellation)
    {
        var missed = 0;
        output.WriteLine("| canary | rule | shape | seeds | found as | what the engine does without the rule |");
        output.WriteLine("|---|---|---|---|---|---|");
        foreach (var canary in AllCanaries.List)
        {
            if (cancellation.IsCancellationRequested) break;
            var found = CanaryHunt.Run(canary, seedsMax, cancellation);
            if (found is null) missed++;
            output.WriteLine(string.Create(
                CultureInfo.InvariantCulture, $"| {canary.Name} | {canary.Rule} | {canary.Shape} | {(found is null ? $"not in {seedsMax}" : found.Seed)} | {found?.Kind ?? ""} | {canary.Summary} |"));
            output.Flush();
        }

        return missed == 0 ? ExitCodes.Done : ExitCodes.No;
    }
}
