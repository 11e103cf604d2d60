using Polyjuice.Agents;
using Polyjuice.Contracts;
using Polyjuice.Simulation.Grains;
using Polyjuice.Waits;

namespace Polyjuice.Tests.Agents.Admission;

public sealed class HeldTransactionsTests
{
    private readonly Gate _gate = new();
    private int _inside;
    private int _most;

    [Fact]
    public void No_more_bodies_run_at_a_time_than_may_and_all_transactions_commit()
    {
        var rig = new EngineRig(configure: options => options.AttemptsMax = 2);
        var tasks = Enumerable.Range(0, 20).Select(i => rig.Start("Add", async frame =>
        {
            _most = Math.Max(_most, ++_inside);
            await rig.Add(frame, i % 3, 1, i);
            _inside--;
        })).ToArray();
        rig.End(Task.WhenAll(tasks));
        Assert.All(tasks, task => Assert.True(task.IsCompletedSuccessfully));
        Assert.InRange(_most, 1, 2);
        Assert.Equal(18, rig.Statistics.Held);
        Assert.Equal(20, Enumerable.Range(0, 3).Sum(account => rig.Read(account).Tokens.Count));
    }

    [Fact]
    public void One_that_waits_for_its_turn_ends_at_its_deadline_and_has_run_nothing()
    {
        var rig = new EngineRig(configure: options =>
        {
            options.AttemptsMax = 1;
            options.TransactionTimeoutMicroseconds = 20_000;
            options.AdmissionStallMicroseconds = 10_000_000;
        });
        var holder = rig.Start("Hold", _ => _gate.Arrive());
        var ran = false;
        var late = rig.Run("Late", _ =>
        {
            ran = true;
            return Task.CompletedTask;
        });
        Assert.Equal(AbortReason.Timeout, EngineRig.AbortOf(late).Abort.Reason);
        Assert.False(ran);
        rig.End(holder);
        rig.Commit("After", frame => rig.Add(frame, 0, 1, 1).AsTask());
    }

    [Fact]
    public void One_that_waits_for_its_turn_can_be_cancelled()
    {
        var rig = new EngineRig(configure: options => options.AttemptsMax = 1);
        using var cancellation = new CancellationTokenSource();
        var holder = rig.Start("Hold", _ => _gate.Arrive());
        var waiting = rig.Start("Wait", _ => Task.CompletedTask, cancellationToken: cancellation.Token);
        cancellation.Cancel();
        rig.End(waiting);
        Assert.Equal(AbortReason.Cancelled, EngineRig.AbortOf(waiting).Abort.Reason);
        rig.Node.Turn(_gate.Open);
        rig.End(holder);
        Assert.True(holder.IsCompletedSuccessfully);
    }

    [Fact]
    public void A_transaction_within_another_one_starts_although_that_has_the_only_place()
    {
        var rig = new EngineRig(configure: options => options.AttemptsMax = 1);
        var task = rig.Run("Outer", async frame =>
        {
            await rig.Add(frame, 0, 1, 1);
            await rig.Node.Engine.RunAsync(
                new TransactionRequest { Type = "Inner" },
                new GrainMethod("IRoot.Inner"),
                inner => rig.Add(inner, 1, 1, 2).AsTask(),
                CancellationToken.None);
        });
        Assert.True(task.IsCompletedSuccessfully);
        Assert.Equal(1, rig.Statistics.Held);
        Assert.Equal([2], rig.Read(1).Tokens);
    }

    [Fact]
    public void Who_stops_the_engine_tells_those_that_wait()
    {
        var rig = new EngineRig(configure: options => options.AttemptsMax = 1);
        var holder = rig.Start("Hold", _ => _gate.Arrive());
        var waiting = rig.Start("Wait", _ => Task.CompletedTask);
        Assert.True(rig.Node.Engine.HasTransactions);
        rig.Node.Stop();
        rig.Until(() => holder.IsCompleted && waiting.IsCompleted, "both must be told");
        Assert.Equal(AbortReason.Shutdown, EngineRig.AbortOf(waiting).Abort.Reason);
        Assert.Equal(AbortReason.Shutdown, EngineRig.AbortOf(holder).Abort.Reason);
    }
}
