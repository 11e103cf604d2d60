using System.Diagnostics.Metrics;
using Polyjuice.Contracts;
using Polyjuice.Policies;
using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Grains;
using Polyjuice.Waits;

namespace Polyjuice.Tests.Agents;

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
            if (instrument.Meter.Name == "Polyjuice" && instrument.Name is "polyjuice.commits" or "polyjuice.aborts")
                self.EnableMeasurementEvents(instrument);
        };
        listener.SetMeasurementEventCallback<long>((instrument, value, tags, _) =>
        {
            if (Environment.CurrentManagedThreadId != _thread) return;
            if (instrument.Name == "polyjuice.commits") commits += value;
            else aborts.Add(Tag(tags, "reason"));
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
    public void How_long_transactions_took_and_waited_is_published_by_type_and_site()
    {
        var rig = new EngineRig(new FixedPolicy("holders", PolicyActions.WaitForHolders));
        var (durations, waits) =
            (new List<(double Seconds, string? Type)>(), new List<(double Seconds, string?[] Tags)>());
        using var listener = EngineMeter.Listen(rig.Node, "polyjuice.transaction.duration", "polyjuice.wait.duration");
        listener.SetMeasurementEventCallback<double>((instrument, value, tags, _) =>
        {
            if (instrument.Name == "polyjuice.transaction.duration") durations.Add((value, Tag(tags, "type")));
            else waits.Add((value, [Tag(tags, "type"), Tag(tags, "site"), Tag(tags, "target"), Tag(tags, "outcome")]));
        });

        var gate = new Gate();
        var first = rig.Start("Holds", async frame =>
        {
            await rig.Add(frame, 0, 1, 1);
            await gate.Arrive();
        });
        rig.Until(() => gate.Arrivals == 1, "the first must hold the account");
        var second = rig.Start("Waits", async frame => await rig.Add(frame, 0, 1, 2));
        rig.Until(() => rig.Node.Engine.Waits.Count == 1, "the second must wait");
        gate.Open();
        rig.End(first);
        rig.End(second);

        Assert.Equal(["Holds", "Waits"], durations.Select(duration => duration.Type).Order());
        Assert.All(durations, duration => Assert.InRange(duration.Seconds, 1e-6, 10));
        var (seconds, named) = Assert.Single(waits, wait => wait.Tags[0] == "Waits");
        Assert.InRange(seconds, 0, durations.Max(duration => duration.Seconds));
        Assert.StartsWith("IRoot.Waits", named[1], StringComparison.Ordinal);
        Assert.Equal(("Holds", "satisfied"), (named[2], named[3]));
    }

    [Fact]
    public void The_chain_of_undecided_transactions_below_one_is_published()
    {
        var rig = new EngineRig();
        var chains = new List<int>();
        using var listener = EngineMeter.Listen(rig.Node, "polyjuice.dependency.chain");
        listener.SetMeasurementEventCallback<int>((_, value, _, _) => chains.Add(value));
        var all = Enumerable.Range(1, 3).Select(token => Task.CompletedTask).ToArray();
        rig.Commit("Loads", async frame => await rig.Add(frame, 0, 1, 1));
        chains.Clear();
        for (var i = 0; i < 3; i++)
        {
            // The one before is ordered, and not durable yet.
            var token = i + 2;
            all[i] = rig.Start("Adds", async frame => await rig.Add(frame, 0, 1, token));
            rig.Until(() => chains.Count > i, "it must be ordered");
        }

        foreach (var task in all) rig.End(task);
        Assert.Equal([0, 1, 2], chains);
    }

    [Fact]
    public void The_meters_scope_tells_the_engines_of_one_store_from_those_of_another()
    {
        var (one, other) = (new EngineRig(), new EngineRig());
        var commits = 0L;
        using var listener = EngineMeter.Listen(one.Node, "polyjuice.commits");
        listener.SetMeasurementEventCallback<long>((_, value, _, _) => commits += value);
        one.Commit("Move", async frame => await one.Add(frame, 0, 1, 1));
        other.Commit("Move", async frame => await other.Add(frame, 0, 1, 1));
        Assert.Equal(1, commits);
    }

    private static string? Tag(ReadOnlySpan<KeyValuePair<string, object?>> tags, string key)
    {
        foreach (var tag in tags)
        {
            if (tag.Key == key) return tag.Value as string;
        }

        return null;
    }
}
