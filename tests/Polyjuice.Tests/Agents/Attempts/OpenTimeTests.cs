using Polyjuice.Agents;
using Polyjuice.Contracts;
using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Grains;
using Polyjuice.Waits;

namespace Polyjuice.Tests.Agents.Attempts;

/// <summary>For how long transactions are open: what a load is judged by.</summary>
public sealed class OpenTimeTests
{
    private readonly EngineRig _rig = new();

    private long Now => _rig.Cluster.Loop.Now;

    [Fact]
    public void Transactions_are_counted_as_open_from_their_begin_to_their_end()
    {
        _rig.Read(0);
        var (began, open) = (Now, _rig.Statistics.OpenMicroseconds);
        var tasks = Enumerable.Range(0, 3)
            .Select(i => _rig.Start("Add", async frame => await _rig.Add(frame, i, 1, i))).ToArray();
        foreach (var task in tasks) _rig.End(task);

        // Three side by side, each of which waits for an append at least.
        Assert.InRange(_rig.Statistics.OpenMicroseconds - open, 3 * 200, 3 * (Now - began));
    }

    [Fact]
    public void What_a_transaction_waits_before_it_begins_counts_as_well()
    {
        // They have come at the same time to a grain that is not reentrant: the third waits for the other two.
        var came = _rig.Node.UtcMicroseconds;
        for (var i = 0; i < 3; i++)
        {
            var body = new LateBody(_rig.Node, came);
            _rig.Node.Turn(() => _rig.Node.Engine.Run(
                new TransactionRequest { Type = "Wait" }, new GrainMethod("IRoot.Wait"), body, CancellationToken.None));
            _rig.Until(() => body.IsOver, "the transaction must end");
        }

        Assert.InRange(_rig.Statistics.OpenMicroseconds, 6_000_000, 6_010_000);
    }

    [Fact]
    public void What_fails_is_open_no_longer()
    {
        _rig.Run("Fail", async frame =>
        {
            await _rig.Add(frame, 0, 1, 1);
            throw new UserException("no");
        });
        var open = _rig.Statistics.OpenMicroseconds;
        Assert.True(open > 0);
        _rig.Cluster.Loop.RunFor(10_000_000);
        var began = Now;
        _rig.Commit("Add", async frame => await _rig.Add(frame, 0, 1, 2));
        Assert.InRange(_rig.Statistics.OpenMicroseconds - open, 200, Now - began);
    }

    /// <summary>A second of work for somebody who came some time ago.</summary>
    private sealed class LateBody(SimulatedNode node, long since) : ITransactionBody
    {
        public bool IsOver { get; private set; }

        public long WaitedForSince => since;

        public Task RunAsync(CallFrame frame)
        {
            var done = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            node.Schedule(1_000_000, done.SetResult);
            return done.Task;
        }

        public void RunEnded(CallFrame frame)
        {
        }

        public void Completed(Exception? failure) => IsOver = true;
    }
}
