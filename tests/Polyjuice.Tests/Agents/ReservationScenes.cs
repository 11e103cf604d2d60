using Polyjuice.Contracts;
using Polyjuice.Policies;
using Polyjuice.Reservations;
using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Grains;
using Polyjuice.Versions;

namespace Polyjuice.Tests.Agents;

/// <summary>What tests of reservations begin with, and look at in the end.</summary>
internal static class ReservationScenes
{
    /// <summary>A transaction that has reserved account 0 and stays at the gate before it accesses it.</summary>
    public static (Task Holder, Gate Gate) StartHolder(EngineRig rig)
    {
        var gate = new Gate();
        var holder = rig.StartReconnoitred("Hold", async frame =>
        {
            if (!frame.IsReconnaissance) await gate.Arrive();
            await rig.Add(frame, 0, 1, 1);
        });
        rig.Until(() => gate.Arrivals == 1, "the holder must run");
        return (holder, gate);
    }

    public static Step Transfers(int from, params int[] to) =>
        Step.Sequence([Step.Update(from, -to.Length), .. to.Select(account => Step.Update(account, 1))]);

    public static SimulatedCluster Start(PolicyActions actions = PolicyActions.ReadDirty, bool wait = true) =>
        SimulatedCluster.Start(
            new ClusterShape
            {
                Nodes = 3, Partitions = 3, Accounts = 6, ThinkMax = wait ? 200 : 0, DirectoryLag = 0, Monitors = true,
                Policy = _ => AdmissionPolicy.Of(PolicyAdmission.DryRunReserve, actions),
            },
            seed: 1);

    /// <summary>Two nodes, whose transactions declare what they access, truly.</summary>
    public static SimulatedCluster StartDeclared(PolicyAdmission admission = PolicyAdmission.DeclaredReserve) =>
        SimulatedCluster.Start(
            new ClusterShape
            {
                Nodes = 2, Partitions = 2, Accounts = 6, ThinkMax = 0, DirectoryLag = 0, Declares = static _ => true,
                KeepsToSets = true, Policy = _ => AdmissionPolicy.Of(admission, PolicyActions.ReadDirty),
            },
            seed: 1);

    public static IEnumerable<Participant> Participants(EngineRig rig) =>
        rig.Node.Engine.Partitions.All.SelectMany(owner => owner.Participants);

    public static IEnumerable<ReservationQueue> Queues(SimulatedCluster cluster) =>
        cluster.Alive.SelectMany(node => node.Engine.Partitions.All).SelectMany(owner => owner.Participants)
            .Select(participant => participant.Reservations).OfType<ReservationQueue>();

    public static void AssertNoAborts(SimulatedCluster cluster) =>
        Assert.All(
            cluster.Alive,
            node => Assert.All(
                node.Engine.Statistics.AbortsByReason,
                (count, reason) => Assert.True(count == 0, $"{(AbortReason)reason} {count}")));

    public static void AssertNothingReserved(SimulatedCluster cluster)
    {
        cluster.Loop.RunFor(100_000);
        Assert.Empty(Queues(cluster));
    }

    /// <summary>An update without a reservation, whose transaction stays at a gate.</summary>
    public static Task StartEarly(EngineRig rig, Gate gate) => rig.Start("Early", async frame =>
    {
        await rig.Add(frame, 0, 1, 1);
        await gate.Arrive();
    });
}
