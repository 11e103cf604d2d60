using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Coverage;
using Polyjuice.Simulation.Faults;
using Polyjuice.Simulation.Grains;
using Polyjuice.Simulation.Runs;
using Polyjuice.Storage;
using Polyjuice.Versions;
using Polyjuice.Wire;

namespace Polyjuice.Simulation.Tests.Coverage;

public class StateProbeTests
{
    [Fact]
    public void A_run_is_the_same_with_and_without_a_look_at_its_states()
    {
        foreach (var shape in Shapes.Hard)
        {
            var run = new RunCase { Seed = 5, Shape = shape };
            var probed = Simulator.Run(run with { Probes = true });
            Assert.Equal(Simulator.Run(run).Digest, probed.Digest);
            Assert.True(probed.Features!.Count > 0);
        }
    }

    [Fact]
    public void A_commit_passes_through_the_states_that_the_protocol_gives_it()
    {
        var (cluster, features) = Commit();
        using (cluster)
        {
            var prepare = new ProtocolState(StateEvent.Arrived)
            {
                Kind = (int)MessageKind.Prepare, Branch = BranchState.Running, Agent = AgentStanding.Preparing,
            };
            Assert.True(
                features.Contains(prepare) || features.Contains(prepare with { ManagerEpoch = EpochRelation.Same }));
            Assert.Contains(
                features.Reached,
                feature => feature.Step == ProtocolStep.Of(LogRecordKind.Prepare) && feature.Nth == 1);
            Assert.False(features.Contains(prepare with { Branch = BranchState.Aborted }));
            Assert.False(features.Contains(new ProtocolState(StateEvent.AgentDied) { Agent = AgentStanding.Done }));
        }
    }

    [Fact]
    public void A_silo_that_dies_and_an_owner_that_is_deposed_are_seen_with_what_they_were_about()
    {
        var (cluster, features) = Commit();
        using (cluster)
        {
            var deposed = new ProtocolState(StateEvent.OwnerDeposed);
            Assert.DoesNotContain(AllBranches(deposed), features.Contains);
            cluster.Submit(
                cluster.Node(0), new TransactionSpec("Late", Step.Sequence(Step.Update(1), Step.Pause(5_000))));
            cluster.Loop.RunFor(3_000);
            cluster.Assign(1, cluster.Node(0));
            Assert.True(
                features.Contains(deposed with { Branch = BranchState.Running, Agent = AgentStanding.Running }));
            cluster.Crash(cluster.Node(0));
            Assert.True(features.Contains(new ProtocolState(StateEvent.AgentDied) { Agent = AgentStanding.Running }));
        }
    }

    private static IEnumerable<ProtocolState> AllBranches(ProtocolState state) =>
        Enum.GetValues<BranchState>()
            .SelectMany(
                branch => Enum.GetValues<AgentStanding>()
                    .Select(agent => state with { Branch = branch, Agent = agent }));

    /// <summary>The agent owns nothing; both participants are elsewhere.</summary>
    private static (SimulatedCluster Cluster, FeatureSet Features) Commit()
    {
        var cluster = SimulatedCluster.Start(
            new ClusterShape { Nodes = 3, AgentNodes = 1, Partitions = 2, Accounts = 2 }, seed: 1);
        cluster.Probe = new StateProbe(cluster);
        var record = cluster.Run(
            cluster.Node(0), new TransactionSpec("Both", Step.Sequence(Step.Update(0), Step.Update(1))));
        Assert.Equal(Outcome.Committed, record.Outcome);
        cluster.Loop.RunFor(100_000);
        return (cluster, cluster.Probe.Features);
    }
}
