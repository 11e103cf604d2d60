using System.Diagnostics.Metrics;
using System.Diagnostics;
using Polyjuice.Execution;
using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Grains;

namespace Polyjuice.Tests.Execution;

public sealed class MetricsTests
{
    // Other tests' engines publish to the same meter and source, on other threads.
    private readonly int _thread = Environment.CurrentManagedThreadId;

    [Fact]
    public void Commits_and_aborts_by_reason_are_published()
    {
        var (commits, aborts) = (0L, new List<string?>());
        using var listener = new MeterListener();
        listener.InstrumentPublished = (instrument, self) =>
        {
            if (instrument.Meter.Name == "Polyjuice" && instrument.Name is "polyjuice.commits" or "polyjuice.aborts") self.EnableMeasurementEvents(instrument);
        };
        listener.SetMeasurementEventCallback<long>((instrument, value, tags, _) =>
        {
            if (Environment.CurrentManagedThreadId != _thread) return;
            if (instrument.Name == "polyjuice.commits") commits += value;
            else aborts.Add(Reason(tags));
        });
        listener.Start();

        var rig = new EngineRig();
        rig.Commit("Move", async frame => await rig.Add(frame, 0, 1, 1));
        rig.Commit("Move", async frame => await rig.Add(frame, 0, 1, 1));
        rig.Run("Move", _ => throw new UserException("no"));

        Assert.Equal(2, commits);
        Assert.Equal([nameof(AbortReason.UserException)], aborts);
        Assert.Equal(2, rig.Statistics.Commits);
        Assert.Equal(3, rig.Statistics.Attempts);
    }

    [Fact]
    public void Each_transaction_is_an_activity_with_its_attempts_and_its_outcome()
    {
        var type = $"Traced{Guid.NewGuid():N}";
        var activities = new List<Activity>();
        using var listener = new ActivityListener
        {
            ShouldListenTo = source => source.Name == "Polyjuice",
            Sample = (ref ActivityCreationOptions<ActivityContext> options) => options.Name == type ? ActivitySamplingResult.AllData : ActivitySamplingResult.None,
            ActivityStopped = activities.Add,
        };
        ActivitySource.AddActivityListener(listener);

        var rig = new EngineRig();
        var gate = new Gate();
        var task = rig.Start(type, async frame =>
        {
            await rig.Add(frame, 0, 1, 1);
            await gate.Arrive();
        });
        rig.Until(() => gate.Arrivals == 1, "the body must come to the gate");
        rig.Commit("Rival", async frame => await rig.Add(frame, 0, 1, 2));
        gate.Open();
        rig.End(task);
        rig.Run(type, _ => throw new UserException("no"));

        Assert.Equal(2, activities.Count);
        Assert.All(activities, activity => Assert.Equal(type, activity.OperationName));
        Assert.Equal([ActivityStatusCode.Ok, ActivityStatusCode.Error], activities.Select(activity => activity.Status));
        Assert.Equal([2, 1], activities.Select(activity => (int)activity.GetTagItem("polyjuice.attempts")!));
        Assert.Equal(nameof(AbortReason.UserException), activities[1].StatusDescription);
    }

    private static string? Reason(ReadOnlySpan<KeyValuePair<string, object?>> tags)
    {
        foreach (var tag in tags)
        {
            if (tag.Key == "reason") return tag.Value as string;
        }

        return null;
    }
}
