using Polyjuice.Contracts;
using Polyjuice.Policies;
using Polyjuice.Reservations;
using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Grains;
using Polyjuice.Tests.Agents;

namespace Polyjuice.Tests.Reservations;

/// <summary>The body is run dry first, and nobody can tell.</summary>
public class DryRunTests
{
    [Fact]
    public void The_body_runs_dry_once_and_then_for_real()
    {
        var rig = new EngineRig(AdmissionPolicy.Of(PolicyAdmission.DryRun));
        var runs = new List<bool>();
        var task = rig.StartReconnoitred("Add", async frame =>
        {
            runs.Add(frame.IsReconnaissance);
            await rig.Add(frame, 0, 5, 1);
        });
        rig.End(task);
        Assert.True(task.IsCompletedSuccessfully);
        Assert.Equal([true, false], runs);
        Assert.Equal([1], rig.Read(0).Tokens);
        Assert.Equal(1, rig.Statistics.DryRuns);
    }

    [Fact]
    public void What_has_not_opted_in_is_never_run_dry()
    {
        var rig = new EngineRig(AdmissionPolicy.Of(PolicyAdmission.DryRun));
        rig.Commit("Add", async frame =>
        {
            Assert.False(frame.IsReconnaissance);
            await rig.Add(frame, 0, 5, 1);
        });
        Assert.Equal(0, rig.Statistics.DryRuns);
    }

    [Fact]
    public void An_option_opts_all_types_in_but_for_those_that_say_no()
    {
        var rig = new EngineRig(
            AdmissionPolicy.Of(PolicyAdmission.DryRun), configure: options => options.DryRunsByDefault = true);
        rig.Commit("Add", async frame => await rig.Add(frame, 0, 5, 1));
        Assert.Equal(1, rig.Statistics.DryRuns);
        rig.End(rig.StartReconnoitred("Add", async frame => await rig.Add(frame, 0, 5, 2), allows: false));
        Assert.Equal(1, rig.Statistics.DryRuns);
        rig.End(
            rig.StartReconnoitred(
                "Look", async frame => await rig.State(0).ReadAsync(frame, state => state.Balance), isReadOnly: true));
        Assert.Equal(1, rig.Statistics.DryRuns);
    }

    [Fact]
    public void A_dry_run_sees_its_own_writes_and_leaves_no_trace()
    {
        var rig = new EngineRig(AdmissionPolicy.Of(PolicyAdmission.DryRun));
        rig.Commit("Warm", async frame => await rig.Add(frame, 0, 1, 1));
        var participant = Assert.Single(rig.Node.Engine.Partitions.All.SelectMany(owner => owner.Participants));
        var (last, wts, rts) = (participant.Last, participant.Last.Wts, participant.Last.Rts);
        var gate = new Gate();
        long seen = 0;
        var task = rig.StartReconnoitred("Add", async frame =>
        {
            await rig.Add(frame, 0, 10, 2);
            if (frame.IsReconnaissance)
            {
                seen = await rig.State(0).ReadAsync(frame, state => state.Balance);
                await gate.Arrive();
            }
        });
        Assert.Equal(111, seen);
        Assert.Same(last, participant.Last);
        Assert.Equal((wts, rts), (participant.Last.Wts, participant.Last.Rts));
        Assert.Null(last.Next);
        Assert.Equal(0, participant.Exposed.Count);
        Assert.Empty(participant.Accessors);
        Assert.All(rig.Node.Engine.Transactions.All, transaction => Assert.Null(transaction.Branches));
        rig.Node.Turn(gate.Open);
        rig.End(task);
        Assert.Equal(111, rig.Read(0).Balance);
    }

    [Fact]
    public void A_dry_run_never_waits_for_who_holds_a_state()
    {
        var rig = new EngineRig(AdmissionPolicy.Of(PolicyAdmission.DryRun, PolicyActions.WaitForHolders));
        var holding = new Gate();
        var holder = rig.Start("Hold", async frame =>
        {
            await rig.Add(frame, 0, 1, 1);
            await holding.Arrive();
        });
        var runs = 0;
        var task = rig.StartReconnoitred("Add", async frame =>
        {
            await rig.Add(frame, 0, 1, 2);
            runs++;
        });
        Assert.Equal(1, runs);
        rig.Node.Turn(holding.Open);
        rig.End(holder);
        rig.End(task);
        Assert.Equal(2, runs);
    }

    [Fact]
    public void An_exception_in_a_dry_run_is_not_the_outcome()
    {
        var rig = new EngineRig(AdmissionPolicy.Of(PolicyAdmission.DryRun));
        var task = rig.StartReconnoitred("Add", async frame =>
        {
            await rig.Add(frame, 0, 5, 1);
            if (frame.IsReconnaissance) throw new InvalidOperationException("only when dry");
        });
        rig.End(task);
        Assert.True(task.IsCompletedSuccessfully);
        Assert.Equal(105, rig.Read(0).Balance);
    }

    [Fact]
    public void A_dry_run_that_hangs_ends_at_its_bound()
    {
        var rig = new EngineRig(AdmissionPolicy.Of(PolicyAdmission.DryRun));
        var never = new Gate();
        var task = rig.StartReconnoitred("Add", async frame =>
        {
            if (frame.IsReconnaissance) await never.Arrive();
            await rig.Add(frame, 0, 5, 1);
        });
        rig.End(task);
        Assert.True(task.IsCompletedSuccessfully);

        // The dry run goes on too late, and is refused.
        rig.Node.Turn(never.Open);
        Assert.Equal(105, rig.Read(0).Balance);
    }

    [Fact]
    public void A_cancelled_dry_run_ends_the_transaction()
    {
        var rig = new EngineRig(AdmissionPolicy.Of(PolicyAdmission.DryRun));
        var never = new Gate();
        using var cancellation = new CancellationTokenSource();
        var task = rig.StartReconnoitred(
            "Add", async frame => await never.Arrive(), cancellationToken: cancellation.Token);
        cancellation.Cancel();
        rig.End(task);
        Assert.Equal(AbortReason.Cancelled, EngineRig.AbortOf(task).Abort.Reason);
    }

    [Fact]
    public void A_dry_run_on_other_nodes_reports_its_access_set_and_drops_its_copies_there()
    {
        using var cluster = SimulatedCluster.Start(Shape(), seed: 1);
        var body = Step.Sequence(
            Step.Update(0, 1),
            Step.Parallel(Step.Call(1, Step.Sequence(Step.Update(1, 1), Step.Update(2, 1))), Step.Read(3)),
            Step.Read(1));
        var agent = cluster.Node(0);
        var record = cluster.Submit(agent, new TransactionSpec("Tree", body));
        var copies = 0;
        cluster.Require(
            () =>
            {
                copies = Math.Max(
                    copies,
                    cluster.Alive.Sum(
                        node => node.Engine.Transactions.All.Sum(transaction => transaction.DryRun?.Copies ?? 0)));
                return record.Runs.Count == 2;
            },
            1_000_000, "progress", "the real run must begin");
        Assert.Equal(3, copies);
        cluster.AwaitEnd(record);
        Assert.Equal(Outcome.Committed, record.Outcome);
        Assert.Equal(4, agent.Engine.AttemptParts.DryRuns.LastAccessSet!.Entries.Count);
        Assert.Equal(
            [(0, true, 1), (1, true, 2), (2, true, 1), (3, false, 1)],
            agent.Engine.AttemptParts.DryRuns.LastAccessSet.Entries.Select(e => (e.Partition, e.Updates, e.Count))
                .Order());
        Assert.All(
            agent.Engine.AttemptParts.DryRuns.LastAccessSet.Entries,
            entry => Assert.Equal(entry.Partition + 1, entry.Node.Value));
        cluster.Loop.RunFor(100_000);
        Assert.All(
            cluster.Alive,
            node => Assert.DoesNotContain(node.Engine.Transactions.All, transaction => transaction.DryRun is not null));
    }

    [Fact]
    public void Copies_go_when_the_agent_dies()
    {
        using var cluster = SimulatedCluster.Start(Shape(), seed: 1);
        var gate = new Gate();
        cluster.Submit(cluster.Node(0), new TransactionSpec("Tree", Step.Sequence(Step.Update(1, 1), Step.Wait(gate))));
        cluster.Require(() => gate.Arrivals == 1, 1_000_000, "progress", "the dry run must have been there");
        Assert.Contains(cluster.Node(1).Engine.Transactions.All, transaction => transaction.DryRun is { Copies: 1 });
        cluster.Crash(cluster.Node(0));
        cluster.Loop.RunFor(200_000);
        Assert.DoesNotContain(cluster.Node(1).Engine.Transactions.All, transaction => transaction.DryRun is not null);
    }

    private static ClusterShape Shape() => new()
    {
        Nodes = 4, Partitions = 4, Accounts = 4, ThinkMax = 0, DirectoryLag = 0,
        Policy = _ => AdmissionPolicy.Of(PolicyAdmission.DryRun),
    };
}
