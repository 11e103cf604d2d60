using Polyjuice.Contracts;
using Polyjuice.Policies;
using Polyjuice.Reservations;
using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Grains;

namespace Polyjuice.Tests.Agents;

/// <summary>What was updated for the last time goes on to the next before its transaction is ordered.</summary>
public class ReservationHandOnTests
{
    [Fact]
    public void The_next_builds_on_what_was_updated_for_the_last_time_and_commits_after_it()
    {
        var rig = Rig();
        var (first, second) = (new Gate(), new Gate());
        var holder = Start(rig, "Hold", first, 1);
        rig.Until(() => first.Arrivals == 1, "the holder must have updated");
        var next = Start(rig, "Next", second, 2);
        rig.Until(() => second.Arrivals == 1, "the next must have updated, although the holder has not ended");
        rig.Node.Turn(second.Open);
        rig.Cluster.Loop.RunFor(50_000);
        Assert.Equal((false, false), (holder.IsCompleted, next.IsCompleted));
        rig.Node.Turn(first.Open);
        rig.End(holder);
        rig.End(next);
        Assert.Equal([1, 2], rig.Read(0).Tokens);
        Assert.Equal((0, 2), (rig.Statistics.AbortsByReason.Sum(), rig.Statistics.HandedOn));
        Assert.DoesNotContain(
            rig.Node.Engine.Partitions.All.SelectMany(owner => owner.Participants),
            participant => participant.Reservations is not null);
    }

    [Fact]
    public void Under_rows_that_read_what_is_sealed_it_is_handed_on_all_the_same()
    {
        var rig = Rig(PolicyActions.None);
        var (first, second) = (new Gate(), new Gate());
        var holder = Start(rig, "Hold", first, 1);
        var next = Start(rig, "Next", second, 2);
        rig.Until(() => second.Arrivals == 1, "the next must have updated");
        End(rig, (holder, first), (next, second));
        Assert.Equal([1, 2], rig.Read(0).Tokens);
        Assert.Equal(0, rig.Statistics.AbortsByReason.Sum());
    }

    [Fact]
    public void It_is_kept_until_the_last_of_the_accesses_that_were_planned()
    {
        var rig = Rig();
        var (first, second) = (new Gate(), new Gate());
        var holder = rig.StartReconnoitred("Hold", async frame =>
        {
            await rig.Add(frame, 0, 1, 1);
            if (!frame.IsReconnaissance) await first.Arrive();
            await rig.Add(frame, 0, 1, 2);
        });
        AssertKept(rig, (holder, first), second, 3);
        Assert.Equal([1, 2, 3], rig.Read(0).Tokens);
        Assert.Equal(0, rig.Statistics.AbortsByReason.Sum());
    }

    [Fact]
    public void What_was_only_read_is_kept_until_its_transaction_is_ordered()
    {
        var rig = Rig();
        var (first, second) = (new Gate(), new Gate());
        var reader = rig.StartReconnoitred("Look", async frame =>
        {
            await rig.State(0).ReadAsync(frame, state => state.Balance);
            if (!frame.IsReconnaissance) await first.Arrive();
        });
        AssertKept(rig, (reader, first), second, 1);
        Assert.Equal(0, rig.Statistics.AbortsByReason.Sum());
    }

    [Fact]
    public void Who_came_without_a_reservation_and_reads_what_is_sealed_waits_until_the_holder_is_ordered()
    {
        var rig = Rig(PolicyActions.None);
        var first = new Gate();
        var holder = Start(rig, "Hold", first, 1);
        rig.Until(() => first.Arrivals == 1, "the holder must have updated");
        var outsider = rig.Start("Outside", async frame => await rig.Add(frame, 0, 1, 2));
        rig.Cluster.Loop.RunFor(50_000);
        Assert.False(outsider.IsCompleted);
        rig.Node.Turn(first.Open);
        rig.End(holder);
        rig.End(outsider);
        Assert.Equal([1, 2], rig.Read(0).Tokens);
        Assert.Equal(0, rig.Statistics.AbortsByReason.Sum());
    }

    [Fact]
    public void Who_was_handed_something_by_one_that_fails_runs_again_and_the_type_hands_on_no_more()
    {
        var rig = Rig(handOnAfter: 1);
        rig.End(rig.StartReconnoitred("Hold", async frame => await rig.Add(frame, 0, 1, 1)));
        rig.End(rig.StartReconnoitred("Next", async frame => await rig.Add(frame, 0, 1, 2)));
        var (first, second) = (new Gate(), new Gate());
        var holder = rig.StartReconnoitred("Hold", async frame =>
        {
            await rig.Add(frame, 0, 1, 3);
            if (frame.IsReconnaissance) return;
            await first.Arrive();
            throw new UserException("no");
        });
        var next = Start(rig, "Next", second, 4);
        rig.Until(() => second.Arrivals == 1, "the next must have updated");
        End(rig, (holder, first), (next, second));
        Assert.True(holder.IsFaulted);
        Assert.True(next.IsCompletedSuccessfully);
        Assert.Equal([1, 2, 4], rig.Read(0).Tokens);
        Assert.Equal(1, rig.Statistics.AbortsByReason[(int)AbortReason.Cascade]);

        // From now on it keeps what it holds until it is ordered.
        var (third, fourth) = (new Gate(), new Gate());
        holder = Start(rig, "Hold", third, 5);
        AssertKept(rig, (holder, third), fourth, 6);
        Assert.Equal([1, 2, 4, 5, 6], rig.Read(0).Tokens);
    }

    [Fact]
    public void A_dry_run_that_has_failed_says_nothing_about_the_last_access()
    {
        var rig = Rig();
        var (first, second) = (new Gate(), new Gate());
        var holder = rig.StartReconnoitred("Hold", async frame =>
        {
            await rig.Add(frame, 0, 1, 1);
            if (frame.IsReconnaissance) throw new UserException("dry");
            await first.Arrive();
            await rig.Add(frame, 0, 1, 2);
        });
        AssertKept(rig, (holder, first), second, 3);
        Assert.Equal([1, 2, 3], rig.Read(0).Tokens);
        Assert.Equal(0, rig.Statistics.AbortsByReason.Sum());
    }

    private static EngineRig Rig(PolicyActions actions = PolicyActions.ReadDirty, int handOnAfter = 0) =>
        new(
            AdmissionPolicy.Of(PolicyAdmission.DryRunReserve, actions),
            configure: options => options.HandOnAfterKept = handOnAfter);

    /// <summary>A transaction that updates account 0 and then stays at the gate.</summary>
    private static Task Start(EngineRig rig, string type, Gate gate, long token) =>
        rig.StartReconnoitred(type, async frame =>
        {
            await rig.Add(frame, 0, 1, token);
            if (!frame.IsReconnaissance) await gate.Arrive();
        });

    /// <summary>Lets those who stay at gates go on, one after the other, and waits until both have ended.</summary>
    private static void End(EngineRig rig, (Task Task, Gate Gate) one, (Task Task, Gate Gate) other)
    {
        rig.Node.Turn(one.Gate.Open);
        rig.Node.Turn(other.Gate.Open);
        rig.End(one.Task);
        rig.End(other.Task);
    }

    /// <summary>Who comes next to account 0 waits as long as the holder stays at its gate; then both end.</summary>
    private static void AssertKept(EngineRig rig, (Task Task, Gate Gate) holder, Gate gate, long token)
    {
        rig.Until(() => holder.Gate.Arrivals == 1, "the holder must have made its access");
        var next = Start(rig, "Next", gate, token);
        rig.Cluster.Loop.RunFor(50_000);
        Assert.Equal(0, gate.Arrivals);
        End(rig, holder, (next, gate));
    }
}
