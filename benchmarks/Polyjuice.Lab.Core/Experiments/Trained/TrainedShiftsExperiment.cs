using System.Globalization;
using Polyjuice.Lab.Clusters;
using Polyjuice.Lab.Tracing;
using Polyjuice.Lab.Workloads;
using Polyjuice.Lab.Workloads.House;

namespace Polyjuice.Lab.Experiments.Trained;

/// <summary>
/// A workload that shifts under silos which train tables themselves, beside the same phases under the table that silos
/// began with, and under one that was trained for each phase. From a while after each shift on, the three are measured
/// in turns: a machine is not as fast at one time as at another.
/// </summary>
/// <param name="settings">How long what takes.</param>
/// <param name="startTraceable">Starts a cluster.</param>
/// <param name="progress">Is told lines for people.</param>
internal sealed class TrainedShiftsExperiment(
    TrainedShiftsSettings settings, Func<ClusterShape, Task<ITracingCluster>> startTraceable, Action<string> progress)
    : IExperiment
{
    private const string Seconds = "throughput over time";

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

        // They are measured in turns, so the first one that is asked for measures all.
        Task<TrainedShiftsResult>? measured = null;
        var shifts = Enumerable.Range(1, settings.Phases.Count - 1)
            .Select(i => new ChartMark((settings.Phase * i).TotalSeconds, settings.Phases[i].ToString()));
        return new ExperimentPlan
        {
            Arms =
            [
                Arm(Seconds, TrainedShiftsVerdict.Trainer, result => result.Trainer),
                Arm(TrainedShiftsVerdict.ByPhase, TrainedShiftsVerdict.Began, result => result.Began),
                Arm(TrainedShiftsVerdict.ByPhase, TrainedShiftsVerdict.Offline, result => result.Offline),
            ],
            Rounds = 1,
            WarmsUp = false,
            Settings = new Dictionary<string, string>(PlanSettings.Of(plan, rounds: 1))
            {
                ["phases"] = string.Join("; ", settings.Phases), ["seconds a phase"] = Text(settings.Phase),
                    ["counts after, seconds"] = Text(settings.React), ["slice, seconds"] = Text(settings.Slice),
                ["window, seconds"] = Text(settings.Window), ["search, seconds"] = Text(settings.Budget),
                    ["began with"] = settings.Start.Name,
            },
            Panels = [new(Seconds, "seconds", ChartKind.Time) { Marks = [.. shifts] },
                new(TrainedShiftsVerdict.ByPhase, "phase", ChartKind.Bars)],
            Drawn = [new(TrainedShiftsVerdict.Rate, "committed a second")],
            Findings = points => TrainedShiftsVerdict.Judge(points, settings),
        };

        ExperimentArm Arm(string panel, string series, Func<TrainedShiftsResult, IReadOnlyList<ArmSample>> samples) =>
            new(panel, series, async (_, cancellationToken) =>
            {
                measured ??= new TrainedShiftsRun(settings, startTraceable, plan, progress).MeasureAsync(
                    cancellationToken);
                return samples(await measured);
            });

        static string Text(TimeSpan time) => time.TotalSeconds.ToString(CultureInfo.InvariantCulture);
    }
}
