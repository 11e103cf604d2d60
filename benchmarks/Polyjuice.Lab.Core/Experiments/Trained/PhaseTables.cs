using System.Globalization;
using Polyjuice.Lab.Running;
using Polyjuice.Lab.Tracing;
using Polyjuice.Lab.Training;
using Polyjuice.Policies;
using Polyjuice.Tracing;
using Polyjuice.Training;
using Polyjuice.Training.Replay;
using Polyjuice.Training.Search;
using Polyjuice.Training.Traces;

namespace Polyjuice.Lab.Experiments.Trained;

/// <summary>Tables that are trained for one phase each, by a search that has as long as it needs.</summary>
/// <param name="settings">How long what takes.</param>
/// <param name="plan">The cluster and its clients.</param>
/// <param name="progress">Is told lines for people.</param>
internal sealed class PhaseTables(TrainedShiftsSettings settings, BenchmarkPlan plan, Action<string> progress)
{
    /// <summary>Records a phase, which the load must be in, and searches.</summary>
    /// <param name="load">The cluster.</param>
    /// <param name="phase">Which, from 1.</param>
    /// <param name="cancellationToken">Ends it.</param>
    /// <returns>The table that was found; the best built-in one where that is not better.</returns>
    /// <exception cref="OperationCanceledException">It was ended.</exception>
    public async Task<PolicyDocument> TrainAsync(TraceLoad load, int phase, CancellationToken cancellationToken)
    {
        var start = ((DocumentPolicy)settings.Start).Document;
        var trace = await RecordAsync(load, phase, cancellationToken);
        ReplayWorkload workload;
        try
        {
            workload = ReplayWorkload.Of(trace, plan.Shape.Silos);
        }
        catch (ArgumentException exception)
        {
            // In a brief run on a busy machine.
            progress($"phase {phase}, offline: {exception.Message}");
            return start;
        }

        var training = new TrainingPlan
        {
            Workload = workload,
            Settings = RecordedWorkload.ReplayOn(plan.Shape, plan.Clients, 2 * settings.ReplayTransactions),
            Name = $"offline-{phase}",
            Parent = start,
            Budget = new SearchBudget(settings.OfflineBudget),
            Seed = plan.Seed,
        };
        var result = await Task.Factory.StartNew(
            () => TableTrainer.Run(training, _ => { }, cancellationToken), cancellationToken,
            TaskCreationOptions.LongRunning, TaskScheduler.Default);
        progress(string.Create(
            CultureInfo.InvariantCulture,
            $"phase {phase}, offline: {result.Trial.Mean:0}/s in replays, the best that was there "
            + $"{result.BestBaseline.Mean:0}/s ({result.BestBaseline.Name})"));
        return result.IsBetter
            ? result.Found
            : training.Starts.Append(training.Parent).First(known => known.Name == result.BestBaseline.Name);
    }

    private async Task<AccessTrace> RecordAsync(TraceLoad load, int phase, CancellationToken cancellationToken)
    {
        var sink = new MemoryTraceSink();
        load.Cluster.StartTrace(RecordedWorkload.Options, sink);
        try
        {
            await load.RunAsync(plan with { Measured = settings.Recorded }, phase, cancellationToken);
        }
        finally
        {
            await load.Cluster.StopTraceAsync();
        }

        cancellationToken.ThrowIfCancellationRequested();
        return TraceFile.Read(sink, cancellationToken).Trace;
    }
}
