using System.Buffers;
using System.Diagnostics;
using Polyjuice.Contracts;
using Polyjuice.Policies;
using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Grains;

namespace Polyjuice.Tests.Agents.Spans;

/// <summary>What an attempt does on another node than its agent's.</summary>
public sealed class VisitingSpansTests : IDisposable
{
    // The length, and 25 bytes.
    private const int ContextBytes = 26;

    private readonly SpanRecorder _spans = new("Polyjuice");

    public void Dispose() => _spans.Dispose();

    [Fact]
    public void A_wait_there_is_part_of_the_attempt_and_linked_to_whom_it_is_for()
    {
        using var cluster = Cluster();

        var wait = WaitElsewhere(cluster);

        var attempt = Attempt("Waits");
        Assert.Equal((attempt.SpanId, attempt.TraceId), (wait.ParentSpanId, wait.TraceId));
        Assert.True(wait.HasRemoteParent);
        Assert.Equal("Holds", wait.GetTagItem("polyjuice.conflict.type"));
        Assert.Equal("satisfied", wait.GetTagItem("polyjuice.wait.outcome"));
        Assert.Equal(Attempt("Holds").SpanId, Assert.Single(wait.Links).Context.SpanId);
    }

    [Fact]
    public void Nothing_is_kept_of_an_attempt_that_is_over()
    {
        using var cluster = Cluster();
        WaitElsewhere(cluster);

        cluster.Require(
            () => Enumerable.Range(0, 2).All(node => cluster.Node(node).Engine.Spans is { Visiting: 0, Any: false }),
            60_000_000, "progress", "attempts must be forgotten");
    }

    [Fact]
    public void A_call_is_larger_for_an_attempt_of_which_somebody_keeps_a_trace_and_for_no_other()
    {
        var rig = new EngineRig();
        var traced = TokenOf(rig);
        Activity.Current = null;
        var other = TokenOf(rig);
        Activity.Current = _spans.Root;

        Assert.Equal(other + ContextBytes, traced);
    }

    private static int TokenOf(EngineRig rig)
    {
        var output = new ArrayBufferWriter<byte>();
        rig.Run(
            "Calls",
            frame =>
            {
                var call = frame.BeginCall();
                call.WriteToken(NodeId.None, output);
                call.Refuse();
                return Task.CompletedTask;
            },
            maxAttempts: 1);
        return output.WrittenCount;
    }

    private static SimulatedCluster Cluster() => SimulatedCluster.Start(
        new ClusterShape
        {
            ThinkMax = 0, DirectoryLag = 0, Policy = _ => new FixedPolicy("holders", PolicyActions.WaitForHolders),
        },
        seed: 1);

    private Activity WaitElsewhere(SimulatedCluster cluster)
    {
        var gate = new Gate();
        var holder = Begin(cluster, new TransactionSpec("Holds", Step.Sequence(Step.Update(1, 1), Step.Wait(gate))));
        cluster.Require(() => gate.Arrivals == 1, 1_000_000, "progress", "the first must hold the account");
        var waiter = Begin(cluster, new TransactionSpec("Waits", Step.Update(1, 1)));
        cluster.Require(
            () => cluster.Node(1).Engine.Waits.Count == 1, 1_000_000, "progress", "the second must wait there");
        gate.Open();
        cluster.AwaitEnd(holder);
        cluster.AwaitEnd(waiter);
        return Assert.Single(_spans.Named("polyjuice.wait"));
    }

    // All nodes run on this thread, and what is ambient to the caller is not to the other node.
    private TransactionRecord Begin(SimulatedCluster cluster, TransactionSpec spec)
    {
        var (node, before) = (cluster.Node(0), cluster.Node(0).Engine.Statistics.Attempts);
        Activity.Current = _spans.Root;
        var record = cluster.Submit(node, spec);
        cluster.Require(
            () => node.Engine.Statistics.Attempts > before, 1_000_000, "progress", "the attempt must begin");
        Activity.Current = null;
        return record;
    }

    private Activity Attempt(string type) =>
        Assert.Single(
            _spans.Below(Assert.Single(_spans.Named(type))), part => part.OperationName == "polyjuice.attempt");
}
