using Polyjuice.Contracts;
using Polyjuice.Policies;
using Polyjuice.Simulation.Grains;
using Polyjuice.Versions;
using Polyjuice.Waits;

namespace Polyjuice.Tests.Agents;

/// <summary>
/// Between an access and the end of its early validation, what was written is not to be seen. Account 0 is where they
/// meet: "First" has exposed it and stands at a gate, "Second" is behind it and validates, which waits for First.
/// </summary>
public sealed class PublishingTests
{
    private const PolicyActions Eager = PolicyActions.ReadDirty | PolicyActions.WritePublic;

    private readonly Gate _first = new();
    private readonly Gate _second = new();

    [Fact]
    public void A_dirty_update_waits_for_the_one_before_it_to_be_exposed_and_does_not_build_beside_it()
    {
        var (rig, first, second) = Begin();
        var balances = new List<long>();
        var third = rig.Start("Third", async frame => balances.Add(await rig.Add(frame, 0, 1, 3)));
        rig.Until(() => rig.Node.Engine.Waits.Count == 2, "the third must wait for the second");
        _first.Open();
        foreach (var task in new[] { first, second, third })
        {
            rig.End(task);
            Assert.True(task.IsCompletedSuccessfully, task.Exception?.ToString());
        }

        Assert.Equal([103], balances);
        Assert.Equal([1, 2, 3], rig.Read(0).Tokens);
        Assert.Equal(0, rig.Statistics.AbortsByReason.Sum());
        Assert.Equal(0, rig.Statistics.Resumes);
    }

    [Fact]
    public void A_dirty_read_waits_for_it_too()
    {
        var (rig, first, second) = Begin();
        var balances = new List<long>();
        var third = rig.Start(
            "Third", async frame => balances.Add(await rig.State(0).ReadAsync(frame, state => state.Balance)));
        rig.Until(() => rig.Node.Engine.Waits.Count == 2, "the third must wait for the second");
        _first.Open();
        rig.End(first);
        rig.End(second);
        rig.End(third);
        Assert.Equal([102], balances);
    }

    [Fact]
    public void A_clean_access_does_not()
    {
        var (rig, first, second) = Begin();
        rig.Commit(
            "Clean", async frame => Assert.Equal(100, await rig.State(0).ReadAsync(frame, state => state.Balance)));
        _first.Open();
        rig.End(first);
        rig.End(second);
        Assert.True(second.IsCompletedSuccessfully);
    }

    [Fact]
    public void The_wait_ends_when_that_is_exposed_although_its_transaction_goes_on()
    {
        var (rig, first, second) = Begin(holdsSecond: true);
        var balances = new List<long>();
        var third = rig.Start("Third", async frame => balances.Add(await rig.Add(frame, 0, 1, 3)));
        rig.Until(() => rig.Node.Engine.Waits.Count == 2, "the third must wait for the second");
        _first.Open();
        rig.End(first);
        rig.Until(() => _second.Arrivals == 1, "the second must get past its access");
        rig.Cluster.Loop.RunFor(100);
        Assert.Equal([103], balances);
        Assert.False(second.IsCompleted);
        _second.Open();
        rig.End(second);
        rig.End(third);
        Assert.Equal([1, 2, 3], rig.Read(0).Tokens);
    }

    [Fact]
    public void The_wait_ends_when_the_one_before_aborts()
    {
        var (rig, first, second) = Begin(maxAttempts: 1);
        var third = rig.Start("Third", async frame => await rig.Add(frame, 0, 1, 3));
        rig.Until(() => rig.Node.Engine.Waits.Count == 2, "the third must wait for the second");
        var doomed = rig.Node.Engine.Waits;
        rig.Node.Turn(() => rig.Node.Engine.Lifecycle.Doom(ValidatingOf(rig), AbortReason.Cascade, null));
        rig.Until(() => doomed.Count == 0, "nobody waits any longer");
        rig.End(second);
        Assert.Equal(AbortReason.Cascade, EngineRig.AbortOf(second).Abort.Reason);
        _first.Open();
        rig.End(first);
        rig.End(third);
        Assert.True(third.IsCompletedSuccessfully);
        Assert.Equal([1, 3], rig.Read(0).Tokens);
    }

    [Fact]
    public void One_whose_agent_says_that_its_body_is_over_is_not_waited_for()
    {
        var (rig, _, _) = Begin();

        // A call that its agent has given up may still validate where it is.
        rig.Node.Turn(() => ValidatingOf(rig).Progress = int.MaxValue - 2);
        var balances = new List<long>();
        rig.Start("Third", async frame => balances.Add(await rig.Add(frame, 0, 1, 3)));
        rig.Until(() => balances.Count == 1, "the third must go on");
        Assert.Equal([102], balances);
    }

    [Fact]
    public void A_site_is_finished_when_what_it_wrote_can_be_seen()
    {
        var (rig, first, second) = Begin(holdsSecond: true);
        var transaction = ValidatingOf(rig);
        Assert.Equal(0, transaction.Progress);
        _first.Open();
        rig.End(first);
        rig.Until(() => _second.Arrivals == 1, "the second must get past its access");
        Assert.Equal(1, transaction.Progress);
        Assert.Equal(0, transaction.Validating);
        _second.Open();
        rig.End(second);
    }

    [Fact]
    public void An_early_validation_finds_that_another_was_exposed_upon_the_same_version()
    {
        var (rig, first, second) = Begin();

        var runs = 0;
        var late = rig.Start("Late", async frame =>
        {
            runs++;
            await rig.Add(frame, 1, 1, 4);
            await rig.Add(frame, 2, 1, 4);
        });
        rig.Until(() => ValidatingOf(rig, "Late") is not null, "it must validate its update of 2");

        // It reads clean, and so waits for nobody.
        var beside = new Gate();
        var exposed = rig.Start("Rival", async frame =>
        {
            await rig.Add(frame, 2, 7, 8);
            await beside.Arrive();
        });
        rig.Until(() => beside.Arrivals == 1, "the rival must expose");
        _first.Open();
        rig.End(first);
        rig.Until(() => runs == 2, "the late one must find that it was overtaken, and run again");
        beside.Open();
        rig.End(exposed);
        rig.End(second);
        rig.End(late);
        Assert.True(late.IsCompletedSuccessfully, late.Exception?.ToString());
        Assert.Equal([8, 4], rig.Read(2).Tokens);
    }

    private (EngineRig Rig, Task First, Task Second) Begin(int maxAttempts = 0, bool holdsSecond = false)
    {
        var rig = new EngineRig(new Table());

        // Policies know only sites that were seen.
        foreach (var type in new[] { "First", "Second", "Third", "Late", "Rival" })
        {
            rig.Commit(type, async frame =>
            {
                await rig.Add(frame, 1, 0, 0);
                await rig.Add(frame, 2, 0, 0);
                await rig.State(2).ReadAsync(frame, state => state.Balance);
                await rig.State(1).ReadAsync(frame, state => state.Balance);
            });
        }

        Reset(rig);
        if (!holdsSecond) _second.Open();
        var first = rig.Start("First", async frame =>
        {
            await rig.Add(frame, 0, 1, 1);
            await rig.Add(frame, 1, 1, 1);
            await _first.Arrive();
        });
        rig.Until(() => _first.Arrivals == 1, "the first must come to the gate");
        var second = rig.Start("Second", async frame =>
        {
            await rig.Add(frame, 0, 1, 2);
            await _second.Arrive();
        }, maxAttempts);
        rig.Until(
            () => ValidatingOf(rig) is not null && rig.Node.Engine.Waits.Count == 1,
            "the second must wait in its validation");
        return (rig, first, second);
    }

    private static void Reset(EngineRig rig)
    {
        Array.Clear(rig.Statistics.AbortsByReason);
        rig.Statistics.Resumes = 0;
        foreach (var account in new[] { 1, 2 })
        {
            rig.Commit("Rival", async frame => await rig.State(account).UpdateAsync(frame, state =>
            {
                state.Tokens.Clear();
                return 0;
            }));
        }
    }

    /// <summary>
    /// The transaction of that type that validates at the account
    /// where it does so; <see langword="null"/> while there is none.
    /// </summary>
    private static LocalTransaction ValidatingOf(EngineRig rig, string type = "Second")
    {
        var participant = rig.Node.Engine.Partitions.All.Single()
            .GetParticipant(rig.Cluster.Accounts.KeyOf(type == "Second" ? 0 : 2));
        return participant.Accessors.Select(accessor => participant.TransactionOf(accessor))
            .FirstOrDefault(t => t is { Validating: > 0 } && t.Type == type)!;
    }

    /// <summary>
    /// "First" exposes at once; "Rival" too, and reads clean; "Second"
    /// and "Late" validate early, and wait for First before they expose.
    /// </summary>
    private sealed class Table : IPolicyCompiler
    {
        public string Name => "publishing";

        public PolicyTable Compile(SiteRegistry registry, int version)
        {
            var builder = new PolicyTableBuilder(registry, Name);
            foreach (var site in builder.Sites)
                builder.SetRow(site.Id, Actions(site), Waits(site, registry, builder.TypeCount));
            return builder.Build(version);
        }

        private static PolicyActions Actions(SiteInfo site) => site.Key.Type switch
        {
            "First" or "Third" => Eager,
            "Rival" => PolicyActions.WritePublic,
            "Second" => Eager | PolicyActions.EarlyValidation,
            "Late" =>
                Eager | (site.Key.State.StartsWith("Savings", StringComparison.Ordinal)
                    && site.Key.Kind == AccessKind.Update
                    ? PolicyActions.EarlyValidation
                    : PolicyActions.None),
            _ => PolicyActions.None,
        };

        // An early validation waits as the next site's row says: that of the second site, and of the read of Late.
        private static ushort[] Waits(SiteInfo site, SiteRegistry registry, int types)
        {
            var cells = new ushort[types + 1];
            var (first, second) = (NumberOf("First"), NumberOf("Second"));
            var waits = site.Key.Type == "Second" && site.Key.State.StartsWith("Savings", StringComparison.Ordinal)
                || site.Key.Type == "Late" && site.Key.State.StartsWith("Savings", StringComparison.Ordinal)
                    && site.Key.Kind == AccessKind.Read;
            if (waits && first >= 0) cells[first] = PolicyTable.UntilSealed;

            // So that how far the second has got is kept.
            if (site.Key.Type == "Third" && second >= 0
                && site.Key.State.StartsWith("Savings", StringComparison.Ordinal))
                cells[second] = 1;
            return cells;

            int NumberOf(string type) => registry.Types.Take(types).ToList().IndexOf(type);
        }
    }
}
