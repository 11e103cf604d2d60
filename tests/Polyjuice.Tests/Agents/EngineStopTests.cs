using Polyjuice.Agents;
using Polyjuice.Contracts;
using Polyjuice.Policies;
using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Grains;
using Polyjuice.Simulation.Storage;
using Polyjuice.Waits;

namespace Polyjuice.Tests.Agents;

/// <summary>
/// After a stop no message and no timer comes any more: whoever still waited
/// would do so for ever, and a host that lets its calls end would not end.
/// </summary>
public sealed class EngineStopTests
{
    private readonly Gate _gate = new();

    [Fact]
    public void A_body_that_waits_for_another_transaction_is_told()
    {
        var rig = new EngineRig(new FixedPolicy("locks", PolicyActions.WaitForHolders));
        Exception? told = null;
        var holder = rig.Start("Hold", async frame =>
        {
            await rig.Add(frame, 0, 1, 1);
            await _gate.Arrive();
        });
        rig.Until(() => _gate.Arrivals == 1, "the state must be held");
        var waiter = rig.Start(
            "Wait", async frame => told = await Record.ExceptionAsync(async () => await rig.Add(frame, 0, 1, 2)));
        rig.Until(() => rig.Node.Engine.Waits.Count == 1, "the second one must wait");
        rig.Node.Stop();
        rig.End(Task.WhenAll(holder, waiter));
        Assert.Equal(
            (AbortReason.Shutdown, AbortReason.Shutdown),
            (EngineRig.AbortOf(holder).Abort.Reason, EngineRig.AbortOf(waiter).Abort.Reason));
        rig.Until(() => told is not null, "its body must be told");
        Assert.Equal(AbortReason.Shutdown, Assert.IsType<TransactionAbortedException>(told).Abort.Reason);
    }

    [Fact]
    public void One_that_backs_off_is_told()
    {
        var rig = new EngineRig();
        var task = rig.Start("Move", async frame =>
        {
            await rig.Add(frame, 0, 1, 1);
            await _gate.Arrive();
        });
        rig.Until(() => _gate.Arrivals == 1, "the body must come to the gate");
        rig.Commit("Rival", async frame => await rig.Add(frame, 0, 1, 2));
        _gate.Open();
        rig.Until(
            () => rig.Statistics.AbortsByReason[(int)AbortReason.Validation] == 1, "the first attempt must abort");
        Assert.False(task.IsCompleted);
        rig.Node.Stop();
        rig.End(task);
        Assert.Equal((AbortReason.Shutdown, 1), (EngineRig.AbortOf(task).Abort.Reason, _gate.Arrivals));
    }

    [Fact]
    public void A_call_from_another_silo_that_waits_here_is_told_and_its_transaction_tries_again()
    {
        using var cluster = LockScenes.Start(accounts: 6, LockScenes.PatientOptions());
        var (agent, here) = (cluster.Node(0), cluster.Node(1));
        cluster.Submit(
            cluster.Node(2),
            new TransactionSpec("Hold", Step.Call(1, Step.Sequence(Step.Update(1, 1), Step.Wait(_gate)))));
        LockScenes.Until(cluster, () => _gate.Arrivals == 1);
        var waiter = cluster.Submit(agent, new TransactionSpec("Wait", Step.Call(1, Step.Update(1, 1))));
        LockScenes.Until(cluster, () => here.Engine.Waits.Count == 1);
        var first = waiter.LastAttempt;
        here.Stop();
        Assert.Equal(0, here.Engine.Waits.Count);
        LockScenes.Until(cluster, () => waiter.LastAttempt != first);
        Assert.Equal(1, agent.Engine.Statistics.AbortsByReason[(int)AbortReason.OwnerChanged]);
    }

    // There are no pauses any more between an append and the next try.
    [Fact]
    public void A_log_that_fails_at_once_is_not_tried_for_ever_by_who_stops()
    {
        const int Enough = 1_000;
        var rig = new EngineRig();
        var tries = 0;
        rig.Cluster.Logs.Hook = request =>
        {
            if (++tries < Enough) request.Answer.SetException(new IOException("It has no room."));
            return tries < Enough ? AppendFate.Hold : AppendFate.Usual;
        };

        rig.Node.Turn(() =>
        {
            _ = rig.Node.Engine.RunAsync(
                new TransactionRequest { Type = "Pay" }, new GrainMethod("IRoot.Pay"),
                async frame => await rig.Add(frame, 0, 5, 1), CancellationToken.None);
            rig.Node.Engine.Stop();
        });

        Assert.Equal(1, tries);
    }
}
