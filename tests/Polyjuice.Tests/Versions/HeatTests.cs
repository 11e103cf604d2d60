using Polyjuice.Contracts;
using Polyjuice.Policies;
using Polyjuice.Simulation.Grains;
using Polyjuice.Tests.Agents;
using Polyjuice.Versions;
using Polyjuice.Waits;

namespace Polyjuice.Tests.Versions;

public sealed class HeatTests
{
    [Fact]
    public void It_gets_hot_at_a_quarter_of_conflicts_and_cools_down_below_a_tenth()
    {
        var heat = new Heat();
        Assert.False(heat.IsHot);
        var toHot = CountUntil(ref heat, isConflict: true, hot: true);
        Assert.InRange(heat.Share, 0.25, 0.29);
        var toCold = CountUntil(ref heat, isConflict: false, hot: false);
        Assert.InRange(heat.Share, 0.07, 0.1);

        // About as many accesses as weigh: some of them, and no single one, decide.
        Assert.InRange(toHot, 8, 12);
        Assert.InRange(toCold, 25, 40);
    }

    [Fact]
    public void Between_the_thresholds_it_stays_what_it_is()
    {
        var (cold, hot) = (new Heat(), new Heat());
        for (var i = 0; i < 200; i++) hot.Accessed(isConflict: true);
        for (var i = 0; i < 2_000; i++)
        {
            // Every sixth access: a share of 0.17.
            cold.Accessed(i % 6 == 0);
            hot.Accessed(i % 6 == 0);
        }

        Assert.False(cold.IsHot);
        Assert.True(hot.IsHot);
        Assert.Equal(cold.Share, hot.Share, 0.01);
    }

    [Fact]
    public void A_share_of_just_a_quarter_is_hot()
    {
        var heat = new Heat();
        foreach (var isConflict in "++++-+++-+-+-+") heat.Accessed(isConflict == '+');
        Assert.Equal(0.25, heat.Share);
        Assert.True(heat.IsHot);
    }

    [Theory]
    [InlineData(true, 1)]
    [InlineData(false, 0)]
    public void The_share_comes_all_the_way_to_the_ends(bool isConflict, double expected)
    {
        var heat = new Heat();
        for (var i = 0; i < 100; i++) heat.Accessed(isConflict: true);
        for (var i = 0; i < 1_000; i++) heat.Accessed(isConflict);
        Assert.Equal(expected, heat.Share);
    }

    [Fact]
    public void While_a_participant_is_hot_its_accesses_follow_the_rows_for_that_and_others_do_not()
    {
        var rig = new EngineRig(new HotLocks());
        var participant = rig.Node.Engine.Partitions.All.Single().GetParticipant(rig.Cluster.Accounts.KeyOf(0));
        var gate = new Gate();
        var holder = rig.Start("Hold", async frame =>
        {
            await rig.Add(frame, 0, 1, 1);
            await rig.Add(frame, 1, 1, 1);
            await gate.Arrive();
        });
        rig.Until(() => gate.Arrivals == 1, "the holder must hold");
        Assert.False(participant.Heat.IsHot);

        // It meets the holder, and does not wait while the participant
        // is cold: it commits, being a reader of what was there before.
        rig.Commit("Read", async frame => await rig.State(0).ReadAsync(frame, state => state.Balance));
        Assert.InRange(participant.Heat.Share, 0.02, 0.04);
        var others = new LocalTransaction(new TransactionId(new NodeId(9), 1), "Others", 0, rig.Node.Policies.Current);
        while (!participant.Heat.IsHot) participant.Warm(others, AccessKind.Read);

        var waiter = rig.Start("Read", async frame => await rig.State(0).ReadAsync(frame, state => state.Balance));
        rig.Until(() => rig.Node.Engine.Waits.Count == 1, "at the hot participant it must wait");
        rig.Commit("Read", async frame => await rig.State(1).ReadAsync(frame, state => state.Balance));
        Assert.False(waiter.IsCompleted);
        gate.Open();
        rig.End(holder);
        rig.End(waiter);
        Assert.True(waiter.IsCompletedSuccessfully);
    }

    [Fact]
    public void A_transaction_that_comes_again_heats_nothing()
    {
        var rig = new EngineRig(new HotLocks());
        var participant = rig.Node.Engine.Partitions.All.Single().GetParticipant(rig.Cluster.Accounts.KeyOf(0));
        rig.Commit("Again", async frame =>
        {
            for (var i = 0; i < 50; i++) await rig.Add(frame, 0, 1, 1);
        });
        Assert.Equal(0, participant.Heat.Share);
    }

    [Fact]
    public void Nothing_is_measured_for_a_table_that_does_not_ask()
    {
        var rig = new EngineRig();
        var participant = rig.Node.Engine.Partitions.All.Single().GetParticipant(rig.Cluster.Accounts.KeyOf(0));
        var gate = new Gate();
        var holder = rig.Start("Hold", async frame =>
        {
            await rig.Add(frame, 0, 1, 1);
            await gate.Arrive();
        });
        rig.Until(() => gate.Arrivals == 1, "the holder must hold");
        for (var i = 0; i < 20; i++)
            rig.Commit("Read", async frame => await rig.State(0).ReadAsync(frame, state => state.Balance));
        Assert.Equal(0, participant.Heat.Share);
        gate.Open();
        rig.End(holder);
    }

    private static int CountUntil(ref Heat heat, bool isConflict, bool hot)
    {
        var count = 0;
        while (heat.IsHot != hot)
        {
            heat.Accessed(isConflict);
            Assert.InRange(++count, 1, 1_000);
        }

        return count;
    }

    /// <summary>Waits for nobody at cold participants and for holders at hot ones.</summary>
    private sealed class HotLocks : IPolicyCompiler
    {
        public string Name => "hot-locks";

        public PolicyTable Compile(SiteRegistry registry, int version)
        {
            var builder = new PolicyTableBuilder(registry, Name);
            foreach (var site in builder.Sites)
                builder.SetHotRow(site.Id, PolicyActions.WaitForHolders, new ushort[builder.TypeCount + 1]);
            for (var type = 0; type <= builder.TypeCount; type++)
                builder.SetHotDefault(type, PolicyActions.WaitForHolders, new ushort[builder.TypeCount + 1]);
            return builder.Build(version);
        }
    }
}
