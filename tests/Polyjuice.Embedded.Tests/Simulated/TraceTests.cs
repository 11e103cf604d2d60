using Polyjuice.Embedded.Tests.RealTime;
using Polyjuice.Tracing;
using Polyjuice.Training.Traces;

namespace Polyjuice.Embedded.Tests.Simulated;

/// <summary>What several silos record, put together.</summary>
public sealed class TraceTests
{
    [Fact]
    public void A_transaction_over_several_silos_is_put_together_from_their_files()
    {
        var (trace, files) = Record(seed: 1);

        Assert.True(files.Count > 1);
        var transfers = trace.Transactions.ToArray().Where(transaction => trace.Types[transaction.Type].EndsWith(".Transfer", StringComparison.Ordinal)).ToArray();
        Assert.Equal(20, transfers.Length);
        foreach (var transfer in transfers)
        {
            Assert.True(transfer.IsCommitted);
            Assert.Equal(2, trace.AccessesOf(transfer).ToArray().Select(access => trace.Participants[access.Participant].Grain).Distinct().Count());
        }

        Assert.Contains(trace.Participants, participant => participant.Silo != trace.Participants[0].Silo);
        Assert.Equal(default, trace.Losses);
    }

    [Fact]
    public void Accesses_in_parallel_are_all_there_and_marked()
    {
        var (trace, _) = Record(seed: 1);

        var parallel = trace.Transactions.ToArray().Where(transaction => trace.Types[transaction.Type].EndsWith(".AddInParallel", StringComparison.Ordinal)).ToArray();
        foreach (var transaction in parallel)
        {
            var accesses = trace.AccessesOf(transaction).ToArray();
            Assert.Equal(4, accesses.Select(access => access.Participant).Distinct().Count());
            Assert.Contains(accesses, access => access.IsParallel);
        }

        Assert.NotEmpty(parallel);
    }

    [Fact]
    public void The_same_seed_records_the_same_bytes() => Assert.Equal(Record(seed: 7).Files, Record(seed: 7).Files);

    [Fact]
    public void Recording_changes_nothing_of_what_happens()
    {
        using var without = SimulatedTestCluster.Start(seed: 3);
        using var with = SimulatedTestCluster.Start(seed: 3, configure: options => options.TraceSink = new MemoryTraceSink());
        without.Run(() => Load(without));
        with.Run(() => Load(with));
        Assert.Equal((without.Events, without.Digest), (with.Events, with.Digest));
    }

    private static (AccessTrace Trace, IReadOnlyList<string> Files) Record(ulong seed)
    {
        var sink = new MemoryTraceSink();
        using var cluster = SimulatedTestCluster.Start(seed, configure: options => options.TraceSink = sink);
        cluster.Run(() => Load(cluster));
        var counts = cluster.StopTrace();
        Assert.Equal(0, counts.DroppedRecords);
        var reading = TraceFile.Read([.. sink.Files.Select(file => (file.Name, (Func<Stream>)(() => new MemoryStream(file.Content))))]);
        Assert.All(reading.Files, file => Assert.True(file.IsComplete, file.Torn));
        return (reading.Trace, [.. sink.Files.Select(file => $"{file.Name} {Convert.ToHexString(file.Content)}")]);
    }

    private static async Task Load(SimulatedEmbeddedCluster cluster)
    {
        var teller = cluster.Client.GetGrain<ITeller>("t");
        for (var i = 0; i < 20; i++) await teller.Transfer($"a{i % 5}", $"b{i % 7}", 1);
        await teller.AddInParallel(["a", "b", "c", "d"], []);
    }
}
