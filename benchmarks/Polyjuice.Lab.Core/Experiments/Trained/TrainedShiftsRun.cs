using System.Diagnostics;
using System.Globalization;
using Polyjuice.Lab.Clusters;
using Polyjuice.Lab.Experiments.OverTime;
using Polyjuice.Lab.Running;
using Polyjuice.Lab.Tracing;
using Polyjuice.Lab.Workloads.House;
using Polyjuice.Policies;
using Polyjuice.Publishing;
using Polyjuice.Training.Orleans;
using Polyjuice.Training.Races;

namespace Polyjuice.Lab.Experiments.Trained;

/// <summary>
/// Measures a <see cref="TrainedShiftsExperiment"/> on two clusters: one trains itself, and the other one is put under
/// the tables that it is compared with. One of them is under load at a time.
/// </summary>
/// <param name="settings">How long what takes.</param>
/// <param name="startTraceable">Starts a cluster.</param>
/// <param name="plan">The clusters and their clients.</param>
/// <param name="progress">Is told lines for people.</param>
internal sealed class TrainedShiftsRun(
    TrainedShiftsSettings settings,
    Func<ClusterShape, Task<ITracingCluster>> startTraceable,
    BenchmarkPlan plan,
    Action<string> progress)
{
    /// <summary>Fewer say nothing of how far turns are apart.</summary>
    private const int TurnsMin = 2;

    private const double Confidence = 0.95;

    private static readonly TimeSpan _second = TimeSpan.FromSeconds(1);

    private readonly List<ArmSample> _trainer = [];
    private readonly List<ArmSample> _began = [];
    private readonly List<ArmSample> _offline = [];
    private int _round;

    private BenchmarkPlan Slice => plan with { Warmup = settings.Slice / 6, Measured = settings.Slice };

    /// <summary>Measures all phases. Called once.</summary>
    /// <param name="cancellationToken">Ends it; what was measured by then is given.</param>
    /// <exception cref="InvalidOperationException">Money was lost or made.</exception>
    public async Task<TrainedShiftsResult> MeasureAsync(CancellationToken cancellationToken)
    {
        using var trainer = new SiloTrainer();
        await using var compared = await StartAsync(plan, cancellationToken);
        var tables = await TrainAsync(compared, cancellationToken);
        if (cancellationToken.IsCancellationRequested) return new([], [], []);
        var training = plan with { Shape = trainer.AddTo(plan, settings) };
        await using var trained = await StartAsync(training, cancellationToken);
        var history = PolicyHistory.Empty;
        for (var i = 0; i < tables.Count && !cancellationToken.IsCancellationRequested; i++)
        {
            history = await PhaseAsync(i, tables[i], trainer, trained, compared, history, cancellationToken);
        }

        await RequireAsync(trained);
        await RequireAsync(compared);
        return new(_trainer, _began, _offline);
    }

    private Task<TraceLoad> StartAsync(BenchmarkPlan of, CancellationToken cancellationToken) =>
        TraceLoad.StartAsync(startTraceable, of, new SilentObserver(), cancellationToken);

    private async Task<IReadOnlyList<DocumentPolicy>> TrainAsync(TraceLoad load, CancellationToken cancellationToken)
    {
        var search = new PhaseTables(settings, plan, progress);
        var tables = new List<DocumentPolicy>();
        try
        {
            foreach (var (i, phase) in settings.Phases.Index())
            {
                ((HouseWorkload)load.Workload).Phase = phase;
                tables.Add(new DocumentPolicy(await search.TrainAsync(load, i + 1, cancellationToken)));
            }
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            return [];
        }

        return tables;
    }

    private async Task<PolicyHistory> PhaseAsync(
        int index,
        DocumentPolicy table,
        SiloTrainer trainer,
        TraceLoad trained,
        TraceLoad compared,
        PolicyHistory before,
        CancellationToken cancellationToken)
    {
        foreach (var load in (TraceLoad[])[trained, compared])
            ((HouseWorkload)load.Workload).Phase = settings.Phases[index];
        var phase = new Phase(index + 1, (settings.Phase * index).TotalSeconds);
        var reacting = plan with { Measured = settings.React };
        var failed = (await TrainedAsync(phase, trained, reacting, cancellationToken)).Failed;
        List<double> own = [], began = [], offline = [];
        while (own.Count < TurnsMin || phase.HasTimeForTurn(settings, own.Count))
        {
            var (rate, of) = await TrainedAsync(phase, trained, Slice, cancellationToken);
            failed += of;
            var first = await UnderAsync(settings.Start, compared, cancellationToken);
            var second = await UnderAsync(table, compared, cancellationToken);
            _round++;
            if (cancellationToken.IsCancellationRequested) break;
            own.Add(rate);
            began.Add(first);
            offline.Add(second);
        }

        var history = await trainer.ReadAsync();
        if (own.Count < TurnsMin) return history;
        var added = history.Entries.Skip(before.Last).Where(entry => entry.State == PolicyEntryState.Valid).ToList();
        _trainer.Add(
            Sample(
                phase.Number,
                [
                    (TrainedShiftsVerdict.Rate, own.Average()),
                    (TrainedShiftsVerdict.Failed, failed),
                    (TrainedShiftsVerdict.Published, added.Count(entry => entry.IsRelease)),
                    (TrainedShiftsVerdict.TakenBack, added.Count(entry => !entry.IsRelease)),
                    .. TrainedShiftsVerdict.OfBegan.Figures(RateRatio.Of(own, began, Confidence)),
                    .. TrainedShiftsVerdict.OfOffline.Figures(RateRatio.Of(own, offline, Confidence)),
                ])
            with { Panel = TrainedShiftsVerdict.ByPhase });
        _began.Add(Sample(phase.Number, [(TrainedShiftsVerdict.Rate, began.Average())]));
        _offline.Add(Sample(phase.Number, [(TrainedShiftsVerdict.Rate, offline.Average())]));
        await TellAsync(phase, trained, added);
        return history;
    }

    /// <summary>Has the silos that train under load, and keeps what they make in each second.</summary>
    private async Task<(double Rate, double Failed)> TrainedAsync(
        Phase phase, TraceLoad load, BenchmarkPlan measured, CancellationToken cancellationToken)
    {
        var from = phase.Now + measured.Warmup.TotalSeconds;
        var timeline = new Timeline([], _ => { });
        var sample = await load.RunAsync(measured, _round, timeline, cancellationToken);
        _trainer.AddRange(
            timeline.Rates(_second).Select((rate, second) =>
                Sample(from + second + 0.5, [(TrainedShiftsVerdict.Rate, rate)])));
        return (sample.CommittedPerSecond, sample.Aborted + sample.InDoubt + sample.Overloaded);
    }

    private async Task<double> UnderAsync(IPolicyCompiler table, TraceLoad load, CancellationToken cancellationToken)
    {
        load.Cluster.Swap(table);
        return (await load.RunAsync(Slice, _round, cancellationToken)).CommittedPerSecond;
    }

    private async Task TellAsync(Phase phase, TraceLoad trained, List<PolicyHistoryItem> added)
    {
        foreach (var entry in added)
            progress($"phase {phase.Number}: entry {entry.Number} at {entry.At:T}, {entry.Text}");
        var report = await trained.Cluster.View.Grains.GetTrainer().GetReport();
        progress(string.Create(
            CultureInfo.InvariantCulture,
            $"phase {phase.Number} ended at {DateTimeOffset.UtcNow:T}: conflict rate {report.LastRate:0.000}, "
            + $"trained for {report.TrainedFor:0.000}; {report.Decision} {report.LastTraining} {report.Problem}"));
    }

    private static async Task RequireAsync(TraceLoad load)
    {
        var check = await load.CheckAsync();
        if (!check.Holds) throw new InvalidOperationException($"{HouseWorkload.Definition.Name}: {check.Description}");
    }

    private static ArmSample Sample(double x, IEnumerable<(string Name, double Value)> figures) =>
        new(x, figures.ToDictionary(figure => figure.Name, figure => figure.Value));

    /// <summary>A phase that is under way.</summary>
    /// <param name="Number">From 1.</param>
    /// <param name="Shift">When it begins in diagrams, in seconds.</param>
    private sealed record Phase(int Number, double Shift)
    {
        private readonly long _since = Stopwatch.GetTimestamp();

        /// <summary>The time in diagrams, in seconds.</summary>
        public double Now => Shift + Stopwatch.GetElapsedTime(_since).TotalSeconds;

        /// <summary>Whether one more turn ends within the phase, if it takes as long as those before.</summary>
        public bool HasTimeForTurn(TrainedShiftsSettings settings, int turns)
        {
            var elapsed = Stopwatch.GetElapsedTime(_since);
            return elapsed + ((elapsed - settings.React) / turns) <= settings.Phase;
        }
    }
}
