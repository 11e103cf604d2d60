using System.Diagnostics;
using System.Globalization;
using Microsoft.Extensions.Logging.Abstractions;
using Polyjuice.Contracts;
using Polyjuice.Partitions;
using Polyjuice.Storage;
using Polyjuice.Tests.Storage;
using Polyjuice.Wire;
using Xunit.Abstractions;

namespace Polyjuice.Tests.Partitions.Appends;

/// <summary>
/// Recovery on files, at size: POLYJUICE_RECOVERY_RECORDS says how
/// many records (default 50,000), and the output how long it took.
/// </summary>
public sealed class CheckpointerTests(ITestOutputHelper output) : IDisposable
{
    private const int Grains = 10_000;
    private const int TransactionsPerBatch = 100;
    private const long Plenty = 1L << 30;
    private readonly TestFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task A_long_log_is_recovered_and_a_checkpoint_of_it_says_the_same()
    {
        var records = int.Parse(
            Environment.GetEnvironmentVariable("POLYJUICE_RECOVERY_RECORDS") ?? "50000", CultureInfo.InvariantCulture);
        await using var store = await FileLogStore.OpenAsync(
            new FileLogOptions { Directory = _folder.Path, Flush = false }, NullLogger.Instance,
            CancellationToken.None);
        var log = store.Open(0);
        var end = await WriteAsync(log, records / 2);
        var watch = Stopwatch.StartNew();
        var whole = await Checkpointer.ReadAsync(log, end, CancellationToken.None);
        output.WriteLine(
            $"{records} records, {whole!.TailBytes >> 20} MiB: read and folded in {watch.ElapsedMilliseconds} ms");
        watch.Restart();
        var length = await Checkpointer.WriteAsync(log, end, Plenty, null, CancellationToken.None);
        output.WriteLine(
            $"checkpoint of {length >> 10} KiB written in {watch.ElapsedMilliseconds} ms, reading included");
        watch.Restart();
        var recovered = await Checkpointer.ReadAsync(log, end, CancellationToken.None);
        output.WriteLine($"recovered from the checkpoint in {watch.ElapsedMilliseconds} ms");
        Assert.Equal(0, recovered!.TailBytes);
        Assert.Equal(Math.Min(Grains, records / 2), recovered.Image.States.Count);
        Assert.Equal(
            whole.Image.Write().SelectMany(piece => piece.ToArray()),
            recovered.Image.Write().SelectMany(piece => piece.ToArray()));
        Assert.True(await log.TrimAsync(CancellationToken.None) <= end);
    }

    [Theory]
    [InlineData(1L << 30, 1)]
    [InlineData(100_000, 3)]
    public async Task Checkpoints_made_over_earlier_ones_with_little_memory_say_what_the_whole_log_says(
        long stateBytesMax, int least)
    {
        var whole = new MemoryLogStore(1, takesCheckpoints: false).Open(0);
        var log = new CountingLog(new MemoryLogStore(1, takesCheckpoints: true).Open(0));
        var end = await WriteAsync(whole, 20_000);
        Assert.Equal(end, await WriteAsync(log, 20_000));
        await Checkpointer.WriteAsync(log, end / 3, Plenty, null, CancellationToken.None);
        var pauses = 0;
        var length = await Checkpointer.WriteAsync(log, end, stateBytesMax, _ =>
        {
            pauses++;
            return ValueTask.CompletedTask;
        }, CancellationToken.None);
        Assert.True(log.Checkpoints > least, $"{log.Checkpoints} checkpoints");
        Assert.True(pauses > 10);
        var expected = (await Checkpointer.ReadAsync(whole, end, CancellationToken.None))!.Image.Write()
            .SelectMany(piece => piece.ToArray()).ToArray();
        var checkpoint = await log.GetCheckpointAsync(CancellationToken.None);
        Assert.Equal(end, checkpoint!.Position);
        Assert.Equal(expected.Length, length);
        Assert.Equal(expected, await checkpoint.ReadAll());
    }

    [Fact]
    public async Task A_checkpoint_that_is_overtaken_while_it_is_made_begins_again_with_the_higher_one()
    {
        var log = new MemoryLogStore(1, takesCheckpoints: true).Open(0);
        var end = await WriteAsync(log, 3_000);
        await Checkpointer.WriteAsync(log, end / 3, Plenty, null, CancellationToken.None);
        var isFirst = true;
        await Checkpointer.WriteAsync(
            log,
            end,
            Plenty,
            async token =>
            {
                if (!isFirst) return;
                isFirst = false;
                await Checkpointer.WriteAsync(log, end - 1, Plenty, null, token);
            },
            CancellationToken.None);
        Assert.False(isFirst);
        Assert.Equal(end, (await log.GetCheckpointAsync(CancellationToken.None))!.Position);
    }

    [Fact]
    public async Task A_checkpoint_of_more_than_was_asked_for_is_left_alone()
    {
        var log = new MemoryLogStore(1, takesCheckpoints: true).Open(0);
        var end = await WriteAsync(log, 1_000);
        await Checkpointer.WriteAsync(log, end, Plenty, null, CancellationToken.None);
        Assert.Equal(0, await Checkpointer.WriteAsync(log, end - 1, Plenty, null, CancellationToken.None));
        Assert.Null(await Checkpointer.ReadAsync(log, end - 1, CancellationToken.None));
        Assert.Equal(end, (await log.GetCheckpointAsync(CancellationToken.None))!.Position);
        await Assert.ThrowsAsync<LogTrimmedException>(() => log.Read(0, end));
    }

    [Fact]
    public async Task A_log_whose_beginning_is_gone_without_a_checkpoint_is_refused()
    {
        await using var store = await FileLogStore.OpenAsync(
            new FileLogOptions { Directory = _folder.Path, SegmentBytes = 4_096 }, NullLogger.Instance,
            CancellationToken.None);
        var end = await WriteAsync(store.Open(0), 1_000);
        await store.DisposeAsync();
        File.Delete(_folder.File("p00000", "00000000000000000000.log"));
        await using var again = await FileLogStore.OpenAsync(
            new FileLogOptions { Directory = _folder.Path }, NullLogger.Instance, CancellationToken.None);
        await Assert.ThrowsAsync<LogDamagedException>(
            () => Checkpointer.ReadAsync(again.Open(0), end, CancellationToken.None));
    }

    private sealed class CountingLog(IPartitionLog inner) : IPartitionLog
    {
        public int Checkpoints { get; private set; }

        public bool TakesCheckpoints => true;

        public ValueTask<AppendResult> AppendAsync(
            long position, BatchId batchId, ReadOnlyMemory<byte> batch, CancellationToken cancellationToken) =>
            inner.AppendAsync(position, batchId, batch, cancellationToken);

        public ValueTask<long> GetEndAsync(CancellationToken cancellationToken) => inner.GetEndAsync(cancellationToken);

        public IAsyncEnumerable<ReadOnlyMemory<byte>> ReadAsync(
            long from, long to, CancellationToken cancellationToken) =>
            inner.ReadAsync(from, to, cancellationToken);

        public ValueTask<LogCheckpoint?> GetCheckpointAsync(CancellationToken cancellationToken) =>
            inner.GetCheckpointAsync(cancellationToken);

        public ValueTask WriteCheckpointAsync(
            long position, IAsyncEnumerable<ReadOnlyMemory<byte>> content, CancellationToken cancellationToken)
        {
            Checkpoints++;
            return inner.WriteCheckpointAsync(position, content, cancellationToken);
        }

        public ValueTask<long> TrimAsync(CancellationToken cancellationToken) => inner.TrimAsync(cancellationToken);
    }

    /// <summary>Transactions on one partition: a prepare and a commit each. Returns the log's end.</summary>
    private static async Task<long> WriteAsync(IPartitionLog log, int transactions)
    {
        var batch = new ByteWriter();
        var lasts = new VersionId[Grains];
        var keys = Enumerable.Range(0, Grains)
            .Select(i => new ParticipantKey($"AccountGrain/{i}", "checking", "AccountGrain")).ToArray();
        var state = "{\"Cents\":1234567}"u8.ToArray();
        long position = 0;
        for (var n = 1; n <= transactions; n++)
        {
            var id = new TransactionId(new NodeId(1), n);
            var version = new VersionId(id, 1);
            LogRecords.WritePrepare(batch, new RecoveredPrepare
            {
                Id = id, Type = "Smallbank.Deposit", Round = 1, Timestamp = 1_000_000 + n, Manager = 0,
                ManagerEpoch = 1, Parts = [new ParticipantUse(0, 1, new NodeId(1), 1, Writes: true)],
                Writes = [new RecoveredVersion(keys[n % Grains], version, lasts[n % Grains], "json", state)],
                Dependencies = [],
            });
            LogRecords.WriteCommit(
                batch,
                new RecoveredCommit(
                    id, 1, 1_000_000 + n, [new ParticipantUse(0, 1, new NodeId(1), 1, Writes: true)], [], []));
            lasts[n % Grains] = version;
            if (n % 10_000 == 0) LogRecords.WriteOldestLive(batch, [new(new NodeId(1), n - 100)]);
            if (n % TransactionsPerBatch != 0 && n != transactions) continue;
            Assert.Equal(
                AppendResult.Appended,
                await log.AppendAsync(position, new BatchId(1, position), batch.WrittenMemory, CancellationToken.None));
            position++;
            batch.Clear();
        }

        return position;
    }
}
