using Polyjuice.Contracts;
using Polyjuice.Policies;
using Polyjuice.Reservations;
using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Grains;
using static Polyjuice.Tests.Agents.ReservationScenes;

namespace Polyjuice.Tests.Agents;

/// <summary>Transactions that reserve beside others that do not, as types that must not be run dry.</summary>
public class ReservationMixTests
{
    [Theory]
    [InlineData((int)PolicyActions.None, true, 0.25)]
    [InlineData((int)PolicyActions.ReadDirty, true, 0.25)]
    [InlineData((int)(PolicyActions.ReadDirty | PolicyActions.WritePublic), true, 1)]
    [InlineData((int)PolicyActions.None, false, 0.75)]
    [InlineData((int)PolicyActions.ReadDirty, false, 0.75)]
    [InlineData((int)(PolicyActions.ReadDirty | PolicyActions.WritePublic), false, 0.75)]
    public void Where_half_of_the_clients_do_not_reserve_little_is_lost(int actions, bool inBothOrders, double share)
    {
        var (without, _) = Run((PolicyActions)actions, inBothOrders, static _ => false);
        var (mixed, ofThoseWhoReserve) = Run((PolicyActions)actions, inBothOrders, static client => client % 2 == 0);
        Assert.True(mixed > share * without, $"{mixed} beside {without}");
        Assert.InRange(ofThoseWhoReserve, mixed * 0.2, mixed * 0.8);
    }

    [Fact]
    public void Those_that_do_not_reserve_do_not_queue_for_each_other()
    {
        var rig = new EngineRig(AdmissionPolicy.Of(PolicyAdmission.DryRunReserve));
        var (holder, held) = StartHolder(rig);
        var gate = new Gate();
        var outsiders = new[] { 2, 3 }.Select(token => rig.Start($"Outside{token}", async frame =>
        {
            await rig.Add(frame, 0, 1, token);
            await gate.Arrive();
        })).ToArray();
        Assert.Equal(3, Participants(rig).Single(p => p.Reservations is not null).Reservations!.Requests.Count());
        rig.Node.Turn(held.Open);
        rig.End(holder);
        rig.Until(() => gate.Arrivals == 2, "both must have accessed it, as without a queue");
        rig.Node.Turn(gate.Open);
        foreach (var outsider in outsiders) rig.End(outsider);
        Assert.Equal([1, 2, 3], rig.Read(0).Tokens.Order());
    }

    [Fact]
    public void A_second_access_goes_past_an_older_holder_that_has_not_come_there()
    {
        var rig = new EngineRig(AdmissionPolicy.Of(PolicyAdmission.DryRunReserve));
        var (holder, held) = StartHolder(rig);
        rig.Commit("Outside", async frame =>
        {
            await rig.Add(frame, 1, 1, 2);
            await rig.Add(frame, 0, 1, 2);
        });
        rig.Node.Turn(held.Open);
        rig.End(holder);
        Assert.Equal([2, 1], rig.Read(0).Tokens);
        Assert.Equal(0, rig.Statistics.AbortsByReason.Sum());
    }

    [Fact]
    public void Who_has_gone_past_an_older_holder_fails_if_that_comes_there_first()
    {
        var rig = new EngineRig(AdmissionPolicy.Of(PolicyAdmission.DryRunReserve));
        var (holder, held) = StartHolder(rig);
        var gate = new Gate();
        var outsider = rig.Start("Outside", async frame =>
        {
            await rig.Add(frame, 1, 1, 2);
            await rig.Add(frame, 0, 1, 2);
            await gate.Arrive();
        });
        rig.Until(() => gate.Arrivals == 1, "it must go past");
        rig.Node.Turn(held.Open);
        rig.End(holder);
        Assert.Equal(0, rig.Statistics.AbortsByReason.Sum());
        rig.Node.Turn(gate.Open);
        rig.End(outsider);
        Assert.Equal([1, 2], rig.Read(0).Tokens);
        Assert.Equal(
            (1, 1), (rig.Statistics.AbortsByReason.Sum(), rig.Statistics.AbortsByReason[(int)AbortReason.Validation]));
    }

    [Fact]
    public void A_younger_holder_whose_body_has_not_begun_gives_way_to_a_second_access()
    {
        var rig = new EngineRig(AdmissionPolicy.Of(PolicyAdmission.DryRunReserve));
        var (gate, held) = (new Gate(), new Gate());
        var older = rig.Start("Outside", async frame =>
        {
            await rig.Add(frame, 1, 1, 2);
            await gate.Arrive();
            await rig.Add(frame, 0, 1, 2);
        });
        var holder = rig.StartReconnoitred("Hold", async frame =>
        {
            if (!frame.IsReconnaissance) await held.Arrive();
            await rig.Add(frame, 2, 1, 1);
        });
        rig.Until(() => held.Arrivals == 1, "the holder must run");
        var younger = rig.StartReconnoitred("Younger", async frame =>
        {
            await rig.Add(frame, 0, 1, 3);
            await rig.Add(frame, 2, 1, 3);
        });
        rig.Until(
            () => Participants(rig).SelectMany(static p => p.Reservations?.Requests ?? [])
                .Count(static request => request.IsHeld) == 2,
            "it must hold the first, and wait for the second");
        rig.Node.Turn(gate.Open);
        rig.End(older);
        Assert.False(holder.IsCompleted);
        Assert.Equal(1, rig.Statistics.ReservationsGivenWay);
        rig.Node.Turn(held.Open);
        rig.End(holder);
        rig.End(younger);
        Assert.Equal([2, 3], rig.Read(0).Tokens);
        Assert.Equal(0, rig.Statistics.AbortsByReason.Sum());
    }

    [Fact]
    public void A_holder_that_has_built_on_an_exposed_version_does_not_keep_it_from_being_ordered()
    {
        var rig = new EngineRig(
            AdmissionPolicy.Of(PolicyAdmission.DryRunReserve, PolicyActions.ReadDirty | PolicyActions.WritePublic));
        var (early, held) = (new Gate(), new Gate());
        var first = StartEarly(rig, early);
        var holder = rig.StartReconnoitred("Hold", async frame =>
        {
            await rig.Add(frame, 0, 1, 2);
            if (!frame.IsReconnaissance) await held.Arrive();
        });
        rig.Until(() => held.Arrivals == 1, "the holder must have built on it");
        rig.Node.Turn(early.Open);
        rig.End(first);
        Assert.False(holder.IsCompleted);
        rig.Node.Turn(held.Open);
        rig.End(holder);
        Assert.Equal([1, 2], rig.Read(0).Tokens);
        Assert.Equal(0, rig.Statistics.AbortsByReason.Sum());
    }

    /// <summary>Three silos over twelve accounts, two of them hot, for six seconds of virtual time.</summary>
    /// <param name="actions">Of all rows.</param>
    /// <param name="inBothOrders">Whether every other transfer comes to the hot ones in the other order.</param>
    /// <param name="reserves">Which clients' transfers may be run dry, and so reserve.</param>
    /// <returns>How many have committed, and how many of those that reserve.</returns>
    private static (int Committed, int Reserving) Run(
        PolicyActions actions, bool inBothOrders, Func<int, bool> reserves)
    {
        using var cluster = SimulatedCluster.Start(
            new ClusterShape
            {
                Nodes = 3,
                Partitions = 3,
                Accounts = 12,
                ThinkMax = 300,
                DirectoryLag = 0,
                Policy = _ => AdmissionPolicy.Of(PolicyAdmission.DryRunReserve, actions)
            },
            seed: 1);
        var begun = 0;
        cluster.RecordEnded = record => Submit(record.Client);
        for (var client = 0; client < 36; client++) Submit(client);
        cluster.Loop.RunFor(6_000_000);
        cluster.RecordEnded = null;
        var committed = cluster.Records.Where(static record => record.Outcome == Outcome.Committed).ToArray();
        cluster.AwaitEnd(cluster.Records);
        Assert.All(
            cluster.Alive,
            static node => Assert.Equal(
                (0, 0), (node.Engine.Statistics.ReservationTimeouts, node.Engine.Statistics.WaitsEndedByDeadline)));
        return (committed.Length, committed.Count(record => reserves(record.Client)));

        void Submit(int client)
        {
            var number = begun++;
            int[] accounts = inBothOrders
                ? [number % 2, 2 + (number % 10), (number + 1) % 2]
                : [2 + (number % 10), 0, 1];
            var body = Step.Sequence([.. accounts.Select(static account => Step.Update(account, 1))]);
            cluster.Submit(
                cluster.Node(client < 20 ? 0 : client < 30 ? 1 : 2),
                new TransactionSpec(reserves(client) ? "Reserved" : "AtOnce", body, MayRunDry: reserves(client)),
                client: client);
        }
    }
}
