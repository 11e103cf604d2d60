using System.Globalization;
using Polyjuice.Lab.Clusters;
using Polyjuice.Lab.Experiments.OverTime;
using Polyjuice.Lab.Running;
using Polyjuice.Lab.Tracing;
using Polyjuice.Lab.Training;
using Polyjuice.Lab.Workloads;
using Polyjuice.Lab.Workloads.House;
using Polyjuice.Policies;
using Polyjuice.Policies.Publishing;
using Polyjuice.Tracing;
using Polyjuice.Training;
using Polyjuice.Training.Orleans;
using Polyjuice.Training.Replay;
using Polyjuice.Training.Search;
using Polyjuice.Training.Traces;

namespace Polyjuice.Lab.Experiments.Trained;

/// <summary>
/// A workload that shifts under silos which train tables themselves, beside the same phases under the table that silos
/// began with, and under one that was trained for each phase.
/// </summary>
/// <param name="settings">How long what takes.</param>
/// <param name="startTraceable">Starts a cluster.</param>
/// <param name="progress">Is told lines for people.</param>
public sealed class TrainedShiftsExperiment(
    TrainedShiftsSettings settings, Func<ClusterShape, Task<ITracingCluster>> startTraceable, Action<string> progress)
    : IExperiment
{
    private const string Seconds = "throughput over time";
    private static readonly TimeSpan _second = TimeSpan.FromSeconds(1);

    /// <summary>
    /// After a swap, or a shift, so long is not measured of the tables that do not change by themselves.
    /// </summary>
    private static readonly TimeSpan _settle = TimeSpan.FromSeconds(3);

    /// <inheritdoc/>
    public string Name => "trainer";

    /// <inheritdoc/>
    public string Description =>
        "A workload shifts its mix, its skew and its hot keys, and silos train tables for that themselves "
        + "(Polyjuice, §5.3).";

    /// <inheritdoc/>
    public ExperimentPlan Plan(ExperimentScale scale)
    {
        ArgumentNullException.ThrowIfNull(scale);
        var plan = scale.PlanFor(HouseWorkload.Definition, new WorkloadParameters(settings.Customers)) with
        {
            Clients = scale.ClientsOr(24), Policies = [settings.Start], Warmup = TimeSpan.Zero,
                Measured = settings.Phase, OperationsPerInterval = null,
        };
        var shifts = Enumerable.Range(1, settings.Phases.Count - 1)
            .Select(i => new ChartMark((settings.Phase * i).TotalSeconds, settings.Phases[i].ToString()));
        return new ExperimentPlan
        {
            Arms =
            [
                new ExperimentArm(Seconds, TrainedShiftsVerdict.Trainer, (_, cancellationToken) =>
                    TrainerAsync(plan, cancellationToken)),
                new ExperimentArm(TrainedShiftsVerdict.ByPhase, TrainedShiftsVerdict.Began, (_, cancellationToken) =>
                    ComparedAsync(plan, trains: false, cancellationToken)),
                new ExperimentArm(TrainedShiftsVerdict.ByPhase, TrainedShiftsVerdict.Offline, (_, cancellationToken) =>
                    ComparedAsync(plan, trains: true, cancellationToken)),
            ],
            Rounds = 1,
            WarmsUp = false,
            Settings = new Dictionary<string, string>(PlanSettings.Of(plan, rounds: 1))
            {
                ["phases"] = string.Join("; ", settings.Phases), ["seconds a phase"] = Text(settings.Phase),
                    ["counts after, seconds"] = Text(settings.React),
                ["window, seconds"] = Text(settings.Window), ["search, seconds"] = Text(settings.Budget),
                    ["began with"] = settings.Start.Name,
            },
            Panels = [new(Seconds, "seconds", ChartKind.Time) { Marks = [.. shifts] },
                new(TrainedShiftsVerdict.ByPhase, "phase", ChartKind.Bars)],
            Drawn = [new(TrainedShiftsVerdict.Rate, "committed a second")],
            Findings = points => TrainedShiftsVerdict.Judge(points, settings),
        };

        static string Text(TimeSpan time) => time.TotalSeconds.ToString(CultureInfo.InvariantCulture);
    }

    private async Task<IReadOnlyList<ArmSample>> TrainerAsync(BenchmarkPlan plan, CancellationToken cancellationToken)
    {
        using var trainer = new SiloTrainer();
        await using var load = await TraceLoad.StartAsync(startTraceable,
            plan with { Shape = trainer.AddTo(plan, settings) }, new SilentObserver(), cancellationToken);
        var samples = new List<ArmSample>();
        var history = PolicyHistory.Empty;
        for (var i = 0; i < settings.Phases.Count && !cancellationToken.IsCancellationRequested; i++)
        {
            ((HouseWorkload)load.Workload).Phase = settings.Phases[i];
            var timeline = new Timeline([], _ => { });
            var sample = await load.RunAsync(plan, i + 1, timeline, cancellationToken);
            if (cancellationToken.IsCancellationRequested) return [];
            var rates = timeline.Rates(_second);
            var shift = (settings.Phase * i).TotalSeconds;
            samples.AddRange(
                rates.Select((rate, second) => Sample(shift + second + 0.5, (TrainedShiftsVerdict.Rate, rate))));
            var before = history;
            history = await trainer.ReadAsync();
            var added = history.Entries.Skip(before.Last).Where(entry => entry.State == PolicyEntryState.Valid)
                .ToList();
            var counted = rates.Skip((int)settings.React.TotalSeconds).DefaultIfEmpty(0).Average();
            samples.Add(
                Sample(
                    i + 1,
                    (TrainedShiftsVerdict.Rate, counted),
                    (TrainedShiftsVerdict.Failed, FailedOf(sample)),
                    (TrainedShiftsVerdict.Published, added.Count(entry => entry.IsRelease)),
                    (TrainedShiftsVerdict.TakenBack, added.Count(entry => !entry.IsRelease)))
                with { Panel = TrainedShiftsVerdict.ByPhase });
            foreach (var entry in added) progress($"phase {i + 1}: entry {entry.Number} at {entry.At:T}, {entry.Text}");
            var report = await load.Cluster.View.Grains.GetTrainer().GetReport();
            progress(string.Create(
                CultureInfo.InvariantCulture,
                $"phase {i + 1} ended at {DateTimeOffset.UtcNow:T}: conflict rate {report.LastRate:0.000}, "
                + $"trained for {report.TrainedFor:0.000}; {report.Decision} {report.LastTraining} {report.Problem}"));
        }

        await RequireAsync(load);
        return samples;
    }

    /// <summary>Each phase under a table that stays, measured as the trainer's phases are, on one cluster.</summary>
    private async Task<IReadOnlyList<ArmSample>> ComparedAsync(BenchmarkPlan plan, bool trains,
        CancellationToken cancellationToken)
    {
        await using var load = await TraceLoad.StartAsync(startTraceable, plan, new SilentObserver(),
            cancellationToken);
        var samples = new List<ArmSample>();
        for (var i = 0; i < settings.Phases.Count; i++)
        {
            ((HouseWorkload)load.Workload).Phase = settings.Phases[i];
            load.Cluster.Swap(settings.Start);
            if (trains)
            {
                var table = await TrainAsync(plan, i, load, cancellationToken);
                load.Cluster.Swap(new DocumentPolicy(table));
            }

            var measured = plan with { Warmup = _settle, Measured = settings.Compared };
            var sample = await load.RunAsync(measured, (2 * i) + 2, cancellationToken);
            if (cancellationToken.IsCancellationRequested) return [];
            samples.Add(
                Sample(
                    i + 1, (TrainedShiftsVerdict.Rate, sample.CommittedPerSecond),
                    (TrainedShiftsVerdict.Failed, FailedOf(sample))));
        }

        await RequireAsync(load);
        return samples;
    }

    /// <summary>
    /// The table that a search of its own finds for a phase; the best built-in one where none is better.
    /// </summary>
    private async Task<PolicyDocument> TrainAsync(BenchmarkPlan plan, int phase, TraceLoad load,
        CancellationToken cancellationToken)
    {
        var sink = new MemoryTraceSink();
        load.Cluster.StartTrace(RecordedWorkload.Options, sink);
        try
        {
            await load.RunAsync(plan with { Measured = settings.Recorded }, (2 * phase) + 1, cancellationToken);
        }
        finally
        {
            await load.Cluster.StopTraceAsync();
        }

        cancellationToken.ThrowIfCancellationRequested();
        var start = ((DocumentPolicy)settings.Start).Document;
        ReplayWorkload workload;
        try
        {
            workload = ReplayWorkload.Of(TraceFile.Read(sink, cancellationToken).Trace, plan.Shape.Silos);
        }
        catch (ArgumentException exception)
        {
            // In a brief run on a busy machine.
            progress($"phase {phase + 1}, offline: {exception.Message}");
            return start;
        }

        var training = new TrainingPlan
        {
            Workload = workload,
            Settings = RecordedWorkload.ReplayOn(plan.Shape, plan.Clients, 2 * settings.ReplayTransactions),
            Name = $"offline-{phase + 1}", Parent = start, Budget = new SearchBudget(settings.OfflineBudget),
                Seed = plan.Seed,
        };
        var result = await Task.Factory.StartNew(
            () => TableTrainer.Run(training, _ => { }, cancellationToken), cancellationToken,
            TaskCreationOptions.LongRunning, TaskScheduler.Default);
        progress(string.Create(
            CultureInfo.InvariantCulture,
            $"phase {phase + 1}, offline: {result.Trial.Mean:0}/s in replays, the best that was there "
            + $"{result.BestBaseline.Mean:0}/s ({result.BestBaseline.Name})"));
        return result.IsBetter ? result.Found
            : training.Starts.Append(training.Parent).First(start => start.Name == result.BestBaseline.Name);
    }

    private static async Task RequireAsync(TraceLoad load)
    {
        var check = await load.CheckAsync();
        if (!check.Holds) throw new InvalidOperationException($"{HouseWorkload.Definition.Name}: {check.Description}");
    }

    private static double FailedOf(IntervalSample sample) => sample.Aborted + sample.InDoubt + sample.Overloaded;

    private static ArmSample Sample(double x, params (string Name, double Value)[] figures) =>
        new(x, figures.ToDictionary(figure => figure.Name, figure => figure.Value));
}
