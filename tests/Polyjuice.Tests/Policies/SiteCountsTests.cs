using System.Diagnostics.Metrics;
using Polyjuice.Agents;
using Polyjuice.Contracts;
using Polyjuice.Policies;
using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Grains;
using Polyjuice.Tests.Agents;
using Polyjuice.Waits;

namespace Polyjuice.Tests.Policies;

public sealed class SiteCountsTests
{
    private const PolicyActions Public = PolicyActions.ReadDirty | PolicyActions.WritePublic;

    [Fact]
    public void Where_rows_have_nothing_done_nothing_is_told()
    {
        var rig = new EngineRig();
        rig.Commit("Moves", async frame => await rig.Add(frame, 0, 1, 1));

        Assert.Empty(Told(rig));
    }

    [Fact]
    public void Exposures_and_dirty_reads_are_told_by_type_and_site()
    {
        var rig = new EngineRig(new FixedPolicy("public", Public));
        var gate = new Gate();
        var first = rig.Start("Writes", async frame =>
        {
            await rig.Add(frame, 0, 1, 1);
            await gate.Arrive();
        });
        rig.Until(() => gate.Arrivals == 1, "the first must have exposed what it wrote");
        var second = rig.Start("Looks", async frame => await rig.State(0).ReadAsync(frame, state => state.Balance));
        gate.Open();
        rig.End(first);
        rig.End(second);

        Assert.Equal([("Looks", "dirty_read", 1), ("Writes", "exposure", 1)], Counts(rig));
        Assert.All(Told(rig), told => Assert.StartsWith($"IRoot.{told.Type} ", told.Site, StringComparison.Ordinal));
    }

    [Fact]
    public void Who_updates_twice_exposes_twice_and_who_only_looks_does_not()
    {
        var rig = new EngineRig(new FixedPolicy("public", Public));
        rig.Commit("Writes", async frame =>
        {
            await rig.Add(frame, 0, 1, 1);
            await rig.Add(frame, 1, 1, 2);
            await rig.State(2).ReadAsync(frame, state => state.Balance);
        });

        Assert.Equal([("Writes", "exposure", 2)], Counts(rig));
    }

    [Fact]
    public void Early_validations_are_told_with_those_that_failed()
    {
        // Grains of class Account validate early, and account 2, which is of another class, does not.
        var rig = new EngineRig(new SitePolicy("early", site =>
            site.State.StartsWith("Account", StringComparison.Ordinal)
                ? PolicyActions.EarlyValidation : PolicyActions.None));
        var gate = new Gate();
        var runs = 0;
        foreach (var account in (int[])[2, 4])
            rig.Commit("Slow", async frame => await rig.Add(frame, account, 1, 0));
        var before = Counts(rig).ToDictionary(told => (told.Type, told.Action), told => told.Count);
        var slow = rig.Start("Slow", async frame =>
        {
            await rig.Add(frame, 2, 1, 1);
            if (++runs == 1) await gate.Arrive();
            await rig.Add(frame, 4, 1, 1);
        });
        rig.Until(() => gate.Arrivals == 1, "the slow one must have read");
        rig.Commit("Quick", async frame => await rig.Add(frame, 2, 1, 2));
        gate.Open();
        rig.End(slow);

        Assert.True(slow.IsCompletedSuccessfully);
        Assert.Equal(2, runs);
        Assert.Equal(
            [("Slow", "early_validation", 2), ("Slow", "early_validation_failure", 1)],
            Counts(rig).Select(told =>
                (told.Type, told.Action, told.Count - before.GetValueOrDefault((told.Type, told.Action)))));
    }

    [Fact]
    public void Waits_are_told_with_those_that_a_cycle_ended()
    {
        var rig = new EngineRig(new FixedPolicy("holders", PolicyActions.WaitForHolders));
        var (old, young) = (new Gate(), new Gate());
        var first = rig.Start("Old", Updates(0, 1, old), maxAttempts: 1);
        rig.Until(() => old.Arrivals == 1, "the older must hold its first");
        rig.Cluster.Loop.RunFor(100);
        var second = rig.Start("Young", Updates(1, 0, young), maxAttempts: 1);
        rig.Until(() => young.Arrivals == 1, "the younger must hold its first");
        old.Open();
        rig.Until(() => rig.Node.Engine.Waits.Count == 1, "the older must wait");
        young.Open();
        rig.End(first);
        rig.End(second);

        Assert.Equal(AbortReason.Deadlock, EngineRig.AbortOf(second).Abort.Reason);
        Assert.Equal([("Old", "wait", 1), ("Young", "wait", 1), ("Young", "wait_deadlock", 1)], Counts(rig));

        Func<CallFrame, Task> Updates(int one, int other, Gate gate) => async frame =>
        {
            await rig.Add(frame, one, 1, 1);
            await gate.Arrive();
            await rig.Add(frame, other, 1, 2);
        };
    }

    [Fact]
    public void A_wait_whose_time_was_up_is_told()
    {
        var rig = new EngineRig(
            new FixedPolicy("holders", PolicyActions.WaitForHolders),
            configure: options => options.WaitDeadlineMicroseconds = 20_000);
        var gate = new Gate();
        var holder = rig.Start("Holds", async frame =>
        {
            await rig.Add(frame, 0, 1, 1);
            await gate.Arrive();
        });
        rig.Until(() => gate.Arrivals == 1, "the first must hold the account");
        var waiter = rig.Run("Waits", async frame => await rig.Add(frame, 0, 1, 2), maxAttempts: 1);
        gate.Open();
        rig.End(holder);

        Assert.Equal(AbortReason.WaitDeadline, EngineRig.AbortOf(waiter).Abort.Reason);
        Assert.Equal([("Waits", "wait", 1), ("Waits", "wait_timeout", 1)], Counts(rig));
    }

    [Fact]
    public void Beyond_so_many_sites_the_rest_is_counted_together()
    {
        var registry = new SiteRegistry();
        var counts = new SiteCounts(registry);
        for (var i = 0; i < SiteCounts.SitesMax + 50; i++)
        {
            var site = registry.GetOrAddSite(
                new SiteKey("Type", $"IRoot.Method{i}", "Account.balance", AccessKind.Update));
            counts.Count(site.Id, SiteAction.Wait);
            counts.Count(site.Id, SiteAction.EarlyValidationFailure);
        }

        var told = counts.Read().ToArray();

        Assert.Equal(2 * (SiteCounts.SitesMax + 1), told.Length);
        Assert.InRange(SiteCounts.Actions * (SiteCounts.SitesMax + 1), 1, 2_000);
        Assert.Equal(SiteCounts.Actions, Enum.GetValues<SiteAction>().Length);
        Assert.All(told[..^2], one => Assert.Equal(1, one.Value));
        Assert.All(told[^2..], one =>
        {
            Assert.Equal(50, one.Value);
            Assert.Contains(new("site", SiteCounts.Others), one.Tags.ToArray());
        });
    }

    [Fact]
    public void A_site_that_is_seen_while_others_are_told_is_told_or_not_and_does_no_harm()
    {
        var registry = new SiteRegistry();
        var counts = new SiteCounts(registry);
        for (var i = 0; i < 3; i++) See(i);
        using var told = counts.Read().GetEnumerator();
        Assert.True(told.MoveNext());

        See(3);

        var rest = 0;
        while (told.MoveNext()) rest++;
        Assert.InRange(rest, 2, 3);

        void See(int number) => counts.Count(
            registry.GetOrAddSite(new SiteKey("Type", $"IRoot.Method{number}", "Account.balance", AccessKind.Read)).Id,
            SiteAction.Wait);
    }

    [Fact]
    public void A_count_that_is_seen_before_its_site_is_told_once_the_site_is_seen()
    {
        var registry = new SiteRegistry();
        var counts = new SiteCounts(registry);
        counts.Count(0, SiteAction.Wait);
        Assert.Empty(counts.Read());

        registry.GetOrAddSite(new SiteKey("Type", "IRoot.Method", "Account.balance", AccessKind.Read));

        Assert.Equal(1, Assert.Single(counts.Read()).Value);
    }

    [Fact]
    public void What_has_no_row_is_not_counted()
    {
        var counts = new SiteCounts(new SiteRegistry());

        counts.Count(Wait.NoSite, SiteAction.Wait);

        Assert.Empty(counts.Read());
    }

    private static IEnumerable<(string Type, string Action, long Count)> Counts(EngineRig rig) =>
        Told(rig).Select(told => (told.Type, told.Action, told.Count))
            .GroupBy(told => (told.Type, told.Action))
            .Select(group => (group.Key.Type, group.Key.Action, group.Sum(told => told.Count)))
            .OrderBy(told => told, Comparer<(string, string, long)>.Default);

    private static List<(string Type, string Site, string Action, long Count)> Told(EngineRig rig)
    {
        var told = new List<(string, string, string, long)>();
        using var listener = EngineMeter.Listen(rig.Node, "polyjuice.policy.actions");
        listener.SetMeasurementEventCallback<long>((_, value, tags, _) =>
        {
            var named = tags.ToArray().ToDictionary(tag => tag.Key, tag => (string)tag.Value!);
            told.Add((named["type"], named["site"], named["action"], value));
        });
        listener.RecordObservableInstruments();
        return told;
    }
}
