using Polyjuice.Agents;
using Polyjuice.Partitions;
using Polyjuice.Policies;
using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Grains;
using Polyjuice.Simulation.Network;
using Polyjuice.Simulation.Runs;
using Polyjuice.Wire;

namespace Polyjuice.Tests.Agents;

/// <summary>
/// Whether what a transaction writes is exposed while it runs is for its agent to say, where the table leaves it to the
/// silo how it is let in. Two silos; account 1 is at the other one than the transactions' agents, and all rows expose.
/// </summary>
public sealed class KeptWritesTests
{
    private const string Move = "Move";

    [Theory]
    [InlineData(nameof(AdmissionArm.HandOn), 1)]
    [InlineData(nameof(AdmissionArm.KeepWrites), 0)]
    public void What_is_written_is_exposed_or_kept_at_every_silo_as_its_agent_has_let_it_in(string arm, int exposed)
    {
        using var cluster = Start();
        LetIn(cluster, Enum.Parse<AdmissionArm>(arm));
        var gate = new Gate();
        var record = cluster.Submit(
            cluster.Node(0),
            new TransactionSpec(Move, Step.Sequence(Step.Update(0, 1), Step.Update(1, 1), Step.Wait(gate))));
        cluster.Require(() => gate.Arrivals == 1, 1_000_000, "progress", "it must have written both");
        cluster.Loop.RunFor(1_000);
        Assert.Equal((exposed, exposed), (ExposedOf(cluster, 0), ExposedOf(cluster, 1)));
        gate.Open();
        cluster.AwaitEnd(record);
        Assert.Equal(Outcome.Committed, record.Outcome);
    }

    [Theory]
    [InlineData(nameof(AdmissionArm.HandOn), true)]
    [InlineData(nameof(AdmissionArm.KeepWrites), false)]
    [InlineData(nameof(AdmissionArm.Reserve), false)]
    public void Nobody_is_told_to_expose_what_is_kept(string arm, bool tells)
    {
        using var cluster = Start();
        var told = new WireTap(cluster.Network).Watch(message => message.Kind == MessageKind.Expose);
        var before = told.Taken.Count;
        for (var i = 0; i < 10; i++)
        {
            LetIn(cluster, Enum.Parse<AdmissionArm>(arm));
            Assert.Equal(Outcome.Committed, cluster.Run(cluster.Node(0), Both(1, 0)).Outcome);
        }

        Assert.Equal(tells, told.Taken.Count > before);
    }

    private static SimulatedCluster Start()
    {
        var cluster = SimulatedCluster.Start(
            new ClusterShape
            {
                Nodes = 2,
                Partitions = 2,
                ThinkMax = 0,
                DirectoryLag = 0,
                Policy = _ => AdmissionPolicy.Of(
                    PolicyAdmission.Auto, PolicyActions.ReadDirty | PolicyActions.WritePublic)
            },
            seed: 1);
        for (var i = 0; i < 100; i++) Assert.Equal(Outcome.Committed, cluster.Run(cluster.Node(0), Both(0, 1)).Outcome);
        return cluster;
    }

    private static TransactionSpec Both(int first, int second) =>
        new(Move, Step.Sequence(Step.Update(first, 1), Step.Update(second, 1)));

    /// <summary>As if the silo that decides for all had said so.</summary>
    private static void LetIn(SimulatedCluster cluster, AdmissionArm arm)
    {
        var engine = cluster.Node(0).Engine;
        var type = Enumerable.Range(0, engine.Tables.TypesKnown).Single(type => engine.Tables.NameOfType(type) == Move);
        engine.Learning.Follow(type, arm, engine.Now);
        Assert.Equal(arm, engine.Learning.ArmOf(type, engine.Now));
    }

    private static int ExposedOf(SimulatedCluster cluster, int account) =>
        cluster.Node(account).Engine.Partitions.Owner(cluster.Accounts.UnitOf(account))!.GetParticipant(
            cluster.Accounts.KeyOf(account)).Exposed.Count;
}
