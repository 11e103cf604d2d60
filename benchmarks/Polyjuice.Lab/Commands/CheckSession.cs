using System.Diagnostics;
using System.Globalization;
using Polyjuice.Lab.Chaos;
using Polyjuice.Lab.Workloads;
using Polyjuice.Testing;

namespace Polyjuice.Lab.Tool.Commands;

/// <summary>
/// Makes one run after the other, until one fails or it is enough, and says what they have exercised.
/// </summary>
internal sealed class CheckSession(CheckPlan plan, TextWriter output)
{
    private readonly long _began = Stopwatch.GetTimestamp();
    private readonly ChaosCoverage _coverage = plan.Expected();
    private readonly long[] _outcomes = new long[Enum.GetValues<OperationOutcome>().Length];
    private int _runs;
    private long _faults;

    private TimeSpan Elapsed => Stopwatch.GetElapsedTime(_began);

    private long Committed => _outcomes[(int)OperationOutcome.Committed];

    /// <summary>Runs all.</summary>
    /// <returns>The program's exit code.</returns>
    public async Task<int> RunAsync(CancellationToken cancellationToken)
    {
        for (var number = 0; number < plan.Seeds && GoesOn() && !cancellationToken.IsCancellationRequested; number++)
        {
            var run = plan.CaseOf(plan.Seed + number);
            try
            {
                await TakeAsync(run, await ChaosRun.RunAsync(run, cancellationToken));
            }
            catch (ClusterRunException exception)
            {
                await output.WriteLineAsync($"FAILED seed {run.Seed}, {run.Workload.Name}: {exception.Message}");
                await output.WriteLineAsync(
                    "Once more (the same choices and faults; what meets when, real time "
                    + $"decides):{Environment.NewLine}  {LabCommandLine.Name} {plan.Again(run)}");
                return ExitCodes.No;
            }
        }

        return await EndAsync(cancellationToken);
    }

    private bool GoesOn() => Elapsed < plan.Time && (plan.Committed is not { } most || Committed < most);

    private async Task TakeAsync(ChaosCase run, ChaosResult result)
    {
        _runs++;
        foreach (var outcome in Enum.GetValues<OperationOutcome>()) _outcomes[(int)outcome] += result[outcome];
        _faults += result.Ledger?.Entries.Count(entry => entry.Target is not null) ?? 0;
        _coverage.Add(result.Coverage);
        await output.WriteLineAsync(
            string.Create(
                CultureInfo.InvariantCulture,
                $"{Elapsed.TotalSeconds,6:0} s  {Committed,9:N0}  seed {run.Seed}, {run.Workload.Name}, {run.Silos} "
                + $"silos of {run.EnginesPerSilo} engine(s): {result}"));
    }

    private async Task<int> EndAsync(CancellationToken cancellationToken)
    {
        await output.WriteLineAsync($"What was exercised, and how often:{Environment.NewLine}{_coverage}");
        await output.WriteLineAsync(string.Create(
            CultureInfo.InvariantCulture,
            $"{_runs} runs, {Committed:N0} transactions committed, {_outcomes[(int)OperationOutcome.Declined]:N0} "
            + $"refused, {_outcomes[(int)OperationOutcome.Aborted]:N0} given up, "
            + $"{_outcomes[(int)OperationOutcome.InDoubt]:N0} in doubt, {_faults:N0} faults: no anomaly, nothing lost, "
            + $"everything ended in its time"));
        if (_runs == 0) return ExitCodes.Cancelled;
        if (plan.Committed is not { } most || cancellationToken.IsCancellationRequested) return ExitCodes.Done;
        if (Committed < most)
            return await NotEnoughAsync($"{Committed:N0} transactions have committed, and not {most:N0}");
        return _coverage.Missing.Count == 0
            ? ExitCodes.Done
            : await NotEnoughAsync($"never exercised: {string.Join("; ", _coverage.Missing)}");
    }

    private async Task<int> NotEnoughAsync(string why)
    {
        await output.WriteLineAsync($"NOT ENOUGH: {why}.");
        return ExitCodes.No;
    }
}
