using Polyjuice.Contracts;
using Polyjuice.Partitions;
using Polyjuice.Simulation.Grains;
using Polyjuice.Storage;
using Polyjuice.Wire;

namespace Polyjuice.Tests.Storage.Rows;

/// <summary>A row, and what is written into it batch by batch without an engine.</summary>
internal sealed class RowRig
{
    public const long Now = 1_750_000_000_000_000;

    public static readonly ParticipantKey Key = new("Account/1", "balance", "Account");
    private readonly MemoryRowStore _rows = new();
    private long _batches;

    public RowRig()
    {
        Row = _rows.Open<Account>(Key.Grain, Key.State);
        Flaky = new FlakyRow<Account>(Row);
        Log = Open(Flaky);
    }

    public static NodeId Agent { get; } = new(3);

    public PartitionNames Names { get; } = new();

    public AccountCodec Codec { get; } = new(0);

    public EngineOptions Options { get; } = new() { RowMetadataBytesMax = 2_000 };

    /// <summary>What the machine's clock shows.</summary>
    public long Clock { get; set; } = Now;

    /// <summary>The row itself.</summary>
    public IRowStore<Account> Row { get; }

    public FlakyRow<Account> Flaky { get; }

    public RowLog<Account> Log { get; }

    public int Partition => Names.NumberOf(new RowKey(Key.Grain, Key.State));

    /// <summary>Where the next batch goes, once something was appended or read.</summary>
    public long End { get; private set; }

    public static TransactionId Id(int number) => new(Agent, number);

    public static long Timestamp(int number) => (Now + (1_000L * number)) << 8;

    /// <summary>Another owner of the same row.</summary>
    public RowLog<Account> Open(IRowStore<Account>? row = null) =>
        new(Key, Partition, Codec, row ?? Row, Names, Options, () => Clock);

    public async Task<RowContent<Account>> Content() => await Row.LoadAsync(default);

    /// <summary>What a successor reads.</summary>
    public async Task<LogImage> Recover() => await Recover(Open());

    public async Task<LogImage> Recover(RowLog<Account> log)
    {
        var end = await log.GetEndAsync(default);
        var image = new LogImage(Names);
        await foreach (var piece in log.ReadAsync(0, end, default)) image.Add(piece.Span);
        return image;
    }

    /// <summary>The first batch of an owner.</summary>
    public async Task Fence()
    {
        End = await Log.GetEndAsync(default);
        await Append(batch => LogRecords.WriteFence(batch, new NodeId(9)));
    }

    public async Task Append(params Action<ByteWriter>[] records) =>
        Assert.Equal(AppendResult.Appended, await TryAppend(Batch(records)));

    /// <summary>Appends at the end; a batch that threw is to be tried again with the same identity.</summary>
    public async Task<AppendResult> TryAppend((BatchId Id, ByteWriter Bytes) batch)
    {
        var result = await Log.AppendAsync(End, batch.Id, batch.Bytes.WrittenMemory, default);
        if (result == AppendResult.Appended) End++;
        return result;
    }

    public (BatchId Id, ByteWriter Bytes) Batch(params Action<ByteWriter>[] records)
    {
        var bytes = new ByteWriter(Names);
        foreach (var write in records) write(bytes);
        return (new BatchId(9, ++_batches), bytes);
    }

    public Action<ByteWriter> Prepare(
        int number, int below, int round = 1, long balance = 0, int manager = 0,
        params (int Id, long Epoch)[] dependencies) =>
        batch => LogRecords.WritePrepare(batch, new RecoveredPrepare
        {
            Id = Id(number), Type = "Transfer", Round = round, Timestamp = Timestamp(number) + round, Manager = manager,
            ManagerEpoch = 17,
            Parts =
            [
                new ParticipantUse(Partition, 5, new NodeId(9), 2, true),
                new ParticipantUse(0, 6, new NodeId(8), 1, true)
            ],
            Writes =
            [
                new RecoveredVersion(
                    Key,
                    new VersionId(Id(number), 1),
                    below == 0 ? default : new VersionId(Id(below), 1),
                    Codec.Name,
                    Encoded(balance == 0 ? number : balance))
            ],
            Dependencies = [.. dependencies.Select(dependency => (Id(dependency.Id), dependency.Epoch))],
        });

    public Action<ByteWriter> Read(int number, int of, int round = 1) =>
        batch => LogRecords.WritePrepare(batch, new RecoveredPrepare
        {
            Id = Id(number), Type = "Look", Round = round, Timestamp = Timestamp(number), Manager = 0,
            ManagerEpoch = 17, Parts = [], Writes = [], Dependencies = [(Id(of), 5)],
        });

    public Action<ByteWriter> Commit(int number, int[]? acknowledge = null, CommitDependency[]? dependencies = null) =>
        batch => LogRecords.WriteCommit(
            batch,
            new RecoveredCommit(
                Id(number),
                1,
                Timestamp(number) + 1,
                [new ParticipantUse(Partition, 5, new NodeId(9), 2, true)],
                [.. acknowledge ?? []],
                dependencies ?? []));

    public static Action<ByteWriter> Outcome(int number, bool committed = true) =>
        batch => LogRecords.WriteOutcome(batch, Id(number), committed, 0);

    public static Action<ByteWriter> Resolved(int number, bool committed) =>
        batch => LogRecords.WriteResolved(batch, Id(number), committed);

    public static Action<ByteWriter> Forget(int number) => batch => LogRecords.WriteForget(batch, Id(number));

    /// <summary>The agent is done with all transactions below.</summary>
    public static Action<ByteWriter> Done(long oldestLive) =>
        batch => LogRecords.WriteOldestLive(batch, [new(Agent, oldestLive)]);

    public byte[] Encoded(long balance)
    {
        var bytes = new ByteWriter();
        Codec.Encode(new Account { Balance = balance }, bytes);
        return bytes.Written.ToArray();
    }

    public long Balance(byte[] encoded) => Codec.Decode(encoded).Balance;
}
