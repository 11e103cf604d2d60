using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Grains;
using Polyjuice.Tracing;
using Polyjuice.Training.Traces;

namespace Polyjuice.Tests.Tracing;

/// <summary>What several silos record, put together.</summary>
public sealed class ClusterTraceTests
{
    private const int Silos = 3;
    private const int Transfers = 20;

    /// <summary>Writes many times while transactions run.</summary>
    private static readonly TraceRecorderOptions s_options = new() { HandOverMicroseconds = 1_000 };

    [Fact]
    public void A_transaction_over_several_silos_is_put_together_from_their_files()
    {
        var (trace, files) = Record(seed: 1);

        Assert.Equal(Silos, files.Count);
        var transfers = Of(trace, "Transfer");
        Assert.Equal(Transfers, transfers.Length);
        foreach (var transfer in transfers)
        {
            Assert.True(transfer.IsCommitted);
            var accesses = trace.AccessesOf(transfer).ToArray();
            var participants = accesses.Select(access => trace.Participants[access.Participant]).ToArray();
            Assert.Equal(2, participants.Select(participant => participant.Grain).Distinct().Count());
            Assert.Equal(2, participants.Select(participant => participant.Silo).Distinct().Count());
        }

        Assert.Equal(default, trace.Losses);
    }

    [Fact]
    public void Accesses_in_parallel_are_all_there_and_marked()
    {
        var (trace, _) = Record(seed: 1);

        var accesses = trace.AccessesOf(Assert.Single(Of(trace, "AddInParallel"))).ToArray();
        Assert.Equal(4, accesses.Select(access => access.Participant).Distinct().Count());
        Assert.Contains(accesses, access => access.IsParallel);
        var inOrder = Of(trace, "Transfer").SelectMany(transfer => trace.AccessesOf(transfer).ToArray());
        Assert.All(inOrder, access => Assert.False(access.IsParallel));
    }

    [Fact]
    public void The_same_seed_records_the_same_bytes() => Assert.Equal(Record(seed: 7).Files, Record(seed: 7).Files);

    [Fact]
    public void Recording_changes_nothing_of_what_happens()
    {
        using var without = Start(seed: 3);
        using var with = Start(seed: 3);
        var sink = new MemoryTraceSink();
        foreach (var node in with.Alive) StartTrace(node, sink);
        Load(without);
        Load(with);
        Assert.Equal(Silos, sink.Files.Count);
        Assert.Equal((without.Loop.EventsRun, without.Loop.Digest), (with.Loop.EventsRun, with.Loop.Digest));
        Assert.True(with.Alive.Sum(node => StopTrace(with, node).Accesses) >= 2 * Transfers);
    }

    private static (AccessTrace Trace, IReadOnlyList<string> Files) Record(ulong seed)
    {
        var sink = new MemoryTraceSink();
        using var cluster = Start(seed);
        foreach (var node in cluster.Alive) StartTrace(node, sink);
        Load(cluster);
        foreach (var node in cluster.Alive) Assert.Equal(0, StopTrace(cluster, node).DroppedRecords);
        var reading = TraceFile.Read(sink);
        Assert.All(reading.Files, file => Assert.True(file.IsComplete, file.Torn));
        return (reading.Trace, [.. sink.Files.Select(file => $"{file.Name} {Convert.ToHexString(file.Content)}")]);
    }

    private static SimulatedCluster Start(ulong seed) =>
        SimulatedCluster.Start(new ClusterShape { Nodes = Silos, Partitions = Silos, Accounts = 12 }, seed);

    private static void Load(SimulatedCluster cluster)
    {
        // From an account of one silo to an account of another.
        for (var i = 0; i < Transfers; i++)
        {
            var body = Step.Sequence(Step.Update(i % 12, -1), Step.Update((i + 1) % 12, 1));
            var transfer = cluster.Run(cluster.Node(0), new TransactionSpec("Transfer", body));
            Assert.Equal(Outcome.Committed, transfer.Outcome);
        }

        var parallel = Step.Parallel([.. Enumerable.Range(0, 4).Select(account => Step.Update(account, 1))]);
        var added = cluster.Run(cluster.Node(0), new TransactionSpec("AddInParallel", parallel));
        Assert.Equal(Outcome.Committed, added.Outcome);
    }

    private static void StartTrace(SimulatedNode node, ITraceSink sink) =>
        node.Turn(() => node.Engine.StartTrace(s_options, sink, $"silo {node.Id.Value}"));

    private static TraceCounts StopTrace(SimulatedCluster cluster, SimulatedNode node)
    {
        Task<TraceCounts>? stopped = null;
        node.Turn(() => stopped = node.Engine.StopTraceAsync());
        cluster.Require(() => stopped!.IsCompleted, 10_000_000, "progress", "the recording must end");
        return stopped!.Result;
    }

    private static TraceTransaction[] Of(AccessTrace trace, string type) =>
        [.. trace.Transactions.ToArray().Where(transaction => trace.Types[transaction.Type] == type)];
}
