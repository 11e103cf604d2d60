using Polyjuice.Simulation.Grains;
using Polyjuice.Tests.Agents;
using Polyjuice.Versions;

namespace Polyjuice.Tests.Versions;

public sealed class ConflictWatchTests
{
    private long _now;

    [Fact]
    public void While_nobody_asks_nothing_is_counted_and_nothing_reported()
    {
        var rig = new EngineRig();
        Meet(rig, account: 1, times: 3);
        Assert.False(rig.Node.Engine.Conflicts.IsOn);
        Assert.Null(rig.Node.Engine.Conflicts.Latest);
    }

    [Fact]
    public void Who_asks_is_told_where_transactions_met_the_most_often_first()
    {
        var rig = new EngineRig();
        var watch = Ask(rig);
        Meet(rig, account: 2, times: 2);
        Meet(rig, account: 1, times: 6);
        rig.Commit("Alone", async frame => await rig.Add(frame, 3, 1, 1));
        Pass(rig, ConflictWatch.Interval);

        var report = watch.Latest!;
        Assert.Equal(1, report.Number);
        Assert.Equal(
            [rig.Cluster.Accounts.KeyOf(1).Grain, rig.Cluster.Accounts.KeyOf(2).Grain],
            report.Grains.Select(grain => grain.Grain));
        Assert.InRange(
            report.Grains[0].ConflictsPerSecond,
            2 * report.Grains[1].ConflictsPerSecond,
            4 * report.Grains[1].ConflictsPerSecond);
        Assert.All(report.Grains, grain => Assert.InRange(grain.ConflictShare, 0.3, 1));
    }

    [Fact]
    public void What_is_over_halves_each_second_and_is_forgotten()
    {
        var rig = new EngineRig();
        var watch = Ask(rig);
        Meet(rig, account: 1, times: 4);
        Pass(rig, ConflictWatch.Interval);
        var first = watch.Latest!.Grains[0].ConflictsPerSecond;
        Pass(rig, ConflictWatch.Interval);
        Assert.InRange(watch.Latest!.Grains[0].ConflictsPerSecond, 0.45 * first, 0.55 * first);
        for (var i = 0; i < 3; i++) Pass(rig, ConflictWatch.Interval);
        Assert.Empty(watch.Latest!.Grains);
    }

    [Fact]
    public void When_nobody_has_asked_for_ten_seconds_it_is_over()
    {
        var rig = new EngineRig();
        var watch = Ask(rig);
        Meet(rig, account: 1, times: 1);
        Pass(rig, ConflictWatch.Interval);
        Assert.NotNull(watch.Latest);
        Pass(rig, ConflictWatch.Lasting);
        Assert.Null(watch.Latest);
        Assert.False(watch.IsOn);
    }

    [Fact]
    public void A_stopped_engine_is_not_asked_any_more()
    {
        var rig = new EngineRig();
        var policies = rig.Node.Policies;
        Assert.Contains(rig.Node.Engine.Conflicts, policies.Watches);
        rig.Node.Stop();
        Assert.DoesNotContain(rig.Node.Engine.Conflicts, policies.Watches);
    }

    /// <summary>Pairs of transactions of which the second comes while the first is there.</summary>
    private static void Meet(EngineRig rig, int account, int times)
    {
        for (var i = 0; i < times; i++)
        {
            var gate = new Gate();
            var first = rig.Start("First", async frame =>
            {
                await rig.Add(frame, account, 1, 1);
                await gate.Arrive();
            });
            rig.Until(() => gate.Arrivals == 1, "the first must be there");
            var second = rig.Start("Second", async frame => await rig.Add(frame, account, 1, 2), maxAttempts: 1);
            gate.Open();
            rig.End(first);
            rig.End(second);
        }
    }

    /// <summary>Asks, and has the engine hear it.</summary>
    private ConflictWatch Ask(EngineRig rig)
    {
        rig.Node.Engine.Conflicts.Ask();
        _now = rig.Node.Engine.Now;
        Pass(rig, 0);
        return rig.Node.Engine.Conflicts;
    }

    /// <summary>The engine's housekeeping at a later time; the rig's own clock stays behind.</summary>
    private void Pass(EngineRig rig, long microseconds) =>
        rig.Node.Turn(() => rig.Node.Engine.Conflicts.Tick(_now += microseconds));
}
