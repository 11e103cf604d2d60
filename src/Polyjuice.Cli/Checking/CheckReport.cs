using System.Globalization;
using Polyjuice.Contracts;
using Polyjuice.Simulation.Faults;
using Polyjuice.Simulation.Runs;

namespace Polyjuice.Cli.Checking;

/// <summary>Tells what came of a check, and how to see it again.</summary>
internal static class CheckReport
{
    /// <summary>The runs that passed.</summary>
    public static void WriteSummary(TextWriter output, CheckResult result, CheckPlan plan, string policy)
    {
        var summary = result.Summary;
        var verdict = result.Failure is not null
            ? "before the failure"
            : result.WasCancelled ? "stopped; no anomaly so far" : "no anomaly";
        output.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"{summary.Runs:N0} {(plan.IsGuided ? "guided runs" : "seeds")} from {plan.From} ({plan.Case.Shape}, "
            + $"{NameOf(plan.Case)}, policy {policy}, faults {FaultNames.Format(plan.Case.Faults)}): {verdict}"));
        foreach (var line in summary.Lines()) output.WriteLine(line);
        if (summary.Runs == 0) return;
        output.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"time            {result.Elapsed.TotalSeconds:F1} s, "
            + $"{result.Processor.TotalMilliseconds / summary.Runs:F1} ms of processor time per seed, "
            + $"{summary.Events:N0} events, {summary.VirtualMicroseconds / 1e6:N0} s of virtual time"));
    }

    /// <summary>The failure, as small as it became, and the command that replays it.</summary>
    public static void WriteFailure(TextWriter output, CheckFailure failure, RunCase shrunk, string policy)
    {
        output.WriteLine($"FAILED seed {failure.Case.Seed}: {failure.Why.Message}");
        output.WriteLine();
        output.WriteLine("Replay, with a full trace:");
        output.WriteLine($"  {Replay(shrunk, policy)}");
    }

    /// <summary>The command that runs one case again.</summary>
    public static string Replay(RunCase run, string policy)
    {
        var words = new List<string>
        {
            "polyjuice check --seed", run.Seed.ToString(CultureInfo.InvariantCulture), "--shape", run.Shape,
            "--policy", policy, "--faults", FaultNames.Format(run.Faults)
        };
        void Add(string option, object? value)
        {
            if (value is not null) words.AddRange([option, Convert.ToString(value, CultureInfo.InvariantCulture)!]);
        }

        Add("--streams", run.Streams == default ? null : run.Streams);
        Add("--aims", run.Aims.Count == 0 ? null : string.Join(',', run.Aims));
        Add("--workload", run.Workload is null ? null : NameOf(run));
        Add(
            "--storage",
            run.Storage == Simulation.Storage.StorageKind.Plain ? null : run.Storage.ToString().ToLowerInvariant());
        Add("--faults-max", run.FaultBudget == long.MaxValue ? null : run.FaultBudget);
        Add("--silos", run.Silos);
        Add("--partitions", run.Partitions);
        Add("--keys", run.Keys);
        Add("--clients", run.Clients);
        Add("--transactions", run.Transactions);
        Add("--break", run.Breaks == ProtocolBreaks.None ? null : run.Breaks);
        words.Add("--trace");
        return string.Join(' ', words);
    }

    private static string NameOf(RunCase run) => run.Workload?.ToString().ToLowerInvariant() ?? "the shape's workload";
}
