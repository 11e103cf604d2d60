using Polyjuice.Agents;
using Polyjuice.Contracts;
using Polyjuice.Tests.Agents;

namespace Polyjuice.Tests.Partitions.Owners;

/// <summary>What housekeeping costs by how many transactions are open.</summary>
public sealed class HousekeepingTests
{
    private const int Many = 10_000;

    private readonly TaskCompletionSource _gate = new();

    [Fact]
    public void A_tick_looks_at_what_is_due_and_not_at_what_is_open()
    {
        var rig = new EngineRig(configure: static options => options.TransactionTimeoutMicroseconds = 60_000_000);
        var open = Enumerable.Range(0, Many).Select(i => rig.Start("Open", frame => Hold(rig, frame, i % 6))).ToArray();
        rig.Cluster.Loop.RunFor(20_000);
        var before = rig.Node.Engine.Looks;
        const int Ticks = 100;

        rig.Cluster.Loop.RunFor(Ticks * rig.Cluster.Shape.Options.TickMicroseconds);

        Assert.DoesNotContain(open, static task => task.IsCompleted);
        var looks = rig.Node.Engine.Looks - before;
        Assert.True(looks <= Many / 100, $"{looks} looks in {Ticks} ticks at {Many} open transactions");
    }

    [Fact]
    public void Each_of_many_that_are_open_is_given_up_at_its_deadline()
    {
        var rig = new EngineRig(configure: static options => options.TransactionTimeoutMicroseconds = 5_000_000);
        var open = Enumerable.Range(0, 100).Select(i => rig.Start("Open", frame => Hold(rig, frame, i % 6))).ToArray();
        rig.Cluster.Loop.RunFor(4_990_000);
        Assert.DoesNotContain(open, static task => task.IsCompleted);

        rig.Cluster.Loop.RunFor(20_000);

        Assert.All(open, static task => Assert.Equal(AbortReason.Timeout, EngineRig.AbortOf(task).Abort.Reason));
    }

    [Fact]
    public void Each_of_many_that_are_open_can_be_cancelled_at_any_time()
    {
        var rig = new EngineRig(configure: static options => options.TransactionTimeoutMicroseconds = 60_000_000);
        var callers = Enumerable.Range(0, 100).Select(static _ => new CancellationTokenSource()).ToArray();
        var open = callers
            .Select((caller, i) => rig.Start("Open", frame => Hold(rig, frame, i % 6), cancellationToken: caller.Token))
            .ToArray();
        rig.Cluster.Loop.RunFor(3_000_000);

        foreach (var caller in callers) caller.Cancel();
        rig.Cluster.Loop.RunFor(10_000);

        Assert.All(open, static task => Assert.Equal(AbortReason.Cancelled, EngineRig.AbortOf(task).Abort.Reason));
        foreach (var caller in callers) caller.Dispose();
    }

    [Fact]
    public void Nothing_is_looked_at_any_more_when_all_have_ended()
    {
        var rig = new EngineRig();
        var open = Enumerable.Range(0, 100).Select(i => rig.Start("Open", frame => Hold(rig, frame, i % 6))).ToArray();
        rig.Cluster.Loop.RunFor(1_000_000);
        rig.Node.Turn(_gate.SetResult);
        foreach (var task in open) rig.End(task);
        rig.Cluster.Loop.RunFor(2_000_000);
        var before = rig.Node.Engine.Looks;
        rig.Cluster.Loop.RunFor(5_000_000);
        Assert.Equal(before, rig.Node.Engine.Looks);
    }

    private async Task Hold(EngineRig rig, CallFrame frame, int account)
    {
        await rig.State(account).ReadAsync(frame, static state => state.Balance);
        await _gate.Task;
    }
}
