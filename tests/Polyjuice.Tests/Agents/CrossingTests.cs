using Polyjuice.Agents;
using Polyjuice.Contracts;
using Polyjuice.Policies;
using Polyjuice.Simulation.Clusters;

namespace Polyjuice.Tests.Agents;

/// <summary>
/// Two transactions that hand two states on to each other in opposite
/// orders: each has built on the other, so that neither can commit.
/// </summary>
public sealed class CrossingTests
{
    private const long Between = 50_000;

    [Fact]
    public void The_loser_of_a_crossing_stands_back_so_that_the_two_do_not_meet_again()
    {
        var rig = new EngineRig(new FixedPolicy("hands-on", PolicyActions.ReadDirty | PolicyActions.WritePublic));
        var (older, younger) = Cross(rig);
        Assert.Null(older.Exception);
        Assert.Null(younger.Exception);

        // The younger has lost, the older was aborted with it; and each has run once more.
        Assert.Equal(
            (1, 1, 4), (Aborts(rig, AbortReason.Deadlock), Aborts(rig, AbortReason.Cascade), rig.Statistics.Attempts));
        Assert.Equal([1, 2], rig.Read(0).Tokens);
        Assert.Equal([1, 2], rig.Read(2).Tokens);
    }

    [Fact]
    public void Where_nothing_is_handed_on_the_loser_of_a_cycle_takes_nobody_along_and_begins_again_at_once()
    {
        var rig = new EngineRig(new FixedPolicy("locks", PolicyActions.WaitForHolders));
        var (begun, starts) = (rig.Node.Engine.Now, new List<long>());
        var (older, younger) = Cross(rig, starts);
        Assert.Null(older.Exception);
        Assert.Null(younger.Exception);
        Assert.Equal(
            (1, 0, 3), (Aborts(rig, AbortReason.Deadlock), Aborts(rig, AbortReason.Cascade), rig.Statistics.Attempts));
        Assert.InRange(starts[1] - begun, Between, Between * 3 / 2);
    }

    [Theory]
    [InlineData(PolicyActions.ReadDirty | PolicyActions.WritePublic, true)]
    [InlineData(PolicyActions.ReadDirty, false)]
    [InlineData(PolicyActions.WritePublic | PolicyActions.WaitForHolders, false)]
    internal void A_table_hands_on_if_it_reads_what_it_exposes(PolicyActions actions, bool handsOn) =>
        Assert.Equal(handsOn, new FixedPolicy("table", actions).Compile(new SiteRegistry(), 1).HandsOn);

    private static (Task Older, Task Younger) Cross(EngineRig rig, List<long>? starts = null)
    {
        var older = rig.Start("Move", Body(rig, 0, 2, 1, []));
        var younger = rig.Start("Move", Body(rig, 2, 0, 2, starts ?? []));
        rig.End(older);
        rig.End(younger);
        return (older, younger);
    }

    private static Func<CallFrame, Task> Body(EngineRig rig, int first, int second, long token, List<long> starts) =>
        async frame =>
        {
            starts.Add(rig.Node.Engine.Now);
            await rig.Add(frame, first, 1, token);
            await rig.Node.Engine.Timers.Delay(Between);
            await rig.Add(frame, second, 1, token);
        };

    private static long Aborts(EngineRig rig, AbortReason reason) => rig.Statistics.AbortsByReason[(int)reason];
}
