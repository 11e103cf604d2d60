using System.Runtime.CompilerServices;
using Polyjuice.Storage;

namespace Polyjuice.Tests.Harness;

/// <summary>An append that a node has asked for.</summary>
internal sealed class AppendRequest(SimulatedNode node, int partition, long position, BatchId batchId, byte[] bytes)
{
    public SimulatedNode Node { get; } = node;

    public int Partition { get; } = partition;

    public long Position { get; } = position;

    public BatchId BatchId { get; } = batchId;

    public byte[] Bytes { get; } = bytes;

    public TaskCompletionSource<AppendResult> Answer { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);
}

/// <summary>What becomes of an append.</summary>
internal enum AppendFate : byte
{
    /// <summary>As the profile says.</summary>
    Usual,

    /// <summary>It works.</summary>
    Work,

    /// <summary>It is reported as failed, and nothing was written.</summary>
    FailBefore,

    /// <summary>It is written, and reported as failed.</summary>
    FailAfter,

    /// <summary>It is reported as failed, and turns up later if its position is still free.</summary>
    FailThenAppear,

    /// <summary>Nothing happens until the test releases it.</summary>
    Hold,
}

/// <summary>How bad the storage is. Delays in microseconds.</summary>
internal sealed record StorageProfile(long DelayMin = 200, long DelayMax = 800, double Errors = 0, double Slow = 0, long SlowDelay = 30_000);

/// <summary>The logs of all partitions, which outlive every node, with appends that take time and may fail in every way.</summary>
internal sealed class SimulatedLogs
{
    private readonly EventLoop _loop;
    private readonly SimulationRandom _random;
    private readonly List<(BatchId Id, byte[] Bytes)>[] _logs;
    private readonly List<AppendRequest> _held = [];

    public SimulatedLogs(EventLoop loop, SimulationRandom random, int partitions)
    {
        _loop = loop;
        _random = random;
        _logs = new List<(BatchId, byte[])>[partitions];
        for (var i = 0; i < partitions; i++) _logs[i] = [];
    }

    public StorageProfile Profile { get; set; } = new();

    public Func<AppendRequest, AppendFate>? Hook { get; set; }

    public IReadOnlyList<AppendRequest> Held => _held;

    public int PartitionCount => _logs.Length;

    public IReadOnlyList<(BatchId Id, byte[] Bytes)> Batches(int partition) => _logs[partition];

    public ILogStore For(SimulatedNode node) => new NodeStore(this, node);

    /// <summary>Lets a held append happen, with the given fate.</summary>
    public void Release(AppendRequest request, AppendFate fate = AppendFate.Work)
    {
        if (!_held.Remove(request)) throw new InvalidOperationException("The append is not held.");
        Begin(request, fate);
    }

    /// <summary>A held append never happens, and nobody hears of it.</summary>
    public void Lose(AppendRequest request) => _held.Remove(request);

    public void ReleaseAll()
    {
        foreach (var request in _held.ToArray()) Release(request);
    }

    private Task<AppendResult> AppendAsync(AppendRequest request)
    {
        if (!request.Node.IsAlive) return request.Answer.Task;
        foreach (var b in request.Bytes) _loop.Note(b);
        var fate = Hook?.Invoke(request) ?? AppendFate.Usual;
        if (fate == AppendFate.Usual)
        {
            fate = !_random.Chance(Profile.Errors)
                ? AppendFate.Work
                : (AppendFate)((int)AppendFate.FailBefore + _random.Next(3));
        }

        if (fate == AppendFate.Hold) _held.Add(request);
        else Begin(request, fate);
        return request.Answer.Task;
    }

    private void Begin(AppendRequest request, AppendFate fate)
    {
        var delay = Delay();
        switch (fate)
        {
            case AppendFate.FailBefore:
                Answer(request, delay, null);
                break;
            case AppendFate.FailAfter:
                Effect(request, delay, _ => null);
                break;
            case AppendFate.FailThenAppear:
                Answer(request, delay, null);
                Effect(request, delay + _random.Between(0, Profile.SlowDelay), null);
                break;
            default:
                Effect(request, delay, result => result);
                break;
        }
    }

    private long Delay() => _random.Between(Profile.DelayMin, Profile.DelayMax) + (_random.Chance(Profile.Slow) ? _random.Between(0, Profile.SlowDelay) : 0);

    private void Effect(AppendRequest request, long delay, Func<AppendResult, AppendResult?>? answer)
    {
        _loop.Queue(delay / 2, EventKind.AppendEffect, request.Partition, () =>
        {
            // What a dead node had sent may have got through, or not.
            if (!request.Node.IsAlive && _random.Chance(0.5)) return;
            var result = Apply(request);
            if (answer is not null) Answer(request, delay - (delay / 2), answer(result));
        });
    }

    private AppendResult Apply(AppendRequest request)
    {
        var log = _logs[request.Partition];
        if (request.Position < log.Count) return log[(int)request.Position].Id == request.BatchId ? AppendResult.Appended : AppendResult.Conflict;
        if (request.Position > log.Count) return AppendResult.Conflict;
        log.Add((request.BatchId, request.Bytes));
        request.Node.Cluster.TraceLine(() => $"log {request.Partition}@{request.Position} by {request.Node.Id}: {LogTap.Describe(request.Bytes)}");
        return AppendResult.Appended;
    }

    private void Answer(AppendRequest request, long delay, AppendResult? result)
    {
        request.Node.Queue(delay, EventKind.AppendAnswer, () =>
        {
            if (result is { } known) request.Answer.SetResult(known);
            else request.Answer.SetException(new IOException("The storage failed (simulated)."));
        });
    }

    private Task<T> LaterAsync<T>(SimulatedNode node, Func<T> read)
    {
        var done = new TaskCompletionSource<T>(TaskCreationOptions.RunContinuationsAsynchronously);
        node.Queue(Delay(), EventKind.LogRead, () => done.SetResult(read()));
        return done.Task;
    }

    private sealed class NodeStore(SimulatedLogs logs, SimulatedNode node) : ILogStore
    {
        public int PartitionCount => logs.PartitionCount;

        public IPartitionLog Open(int partition) => new NodeLog(logs, node, partition);
    }

    private sealed class NodeLog(SimulatedLogs logs, SimulatedNode node, int partition) : IPartitionLog
    {
        public ValueTask<AppendResult> AppendAsync(long position, BatchId batchId, ReadOnlyMemory<byte> batch, CancellationToken cancellationToken) =>
            new(logs.AppendAsync(new AppendRequest(node, partition, position, batchId, batch.ToArray())));

        public ValueTask<long> GetEndAsync(CancellationToken cancellationToken) => new(logs.LaterAsync(node, () => (long)logs._logs[partition].Count));

        public async IAsyncEnumerable<ReadOnlyMemory<byte>> ReadAsync(long from, long to, [EnumeratorCancellation] CancellationToken cancellationToken)
        {
            var batches = await logs.LaterAsync(node, () => logs._logs[partition].Skip((int)from).Take((int)(to - from)).ToArray());
            if (batches.Length < to - from) throw new InvalidOperationException($"The log ends before position {to}.");
            foreach (var batch in batches) yield return batch.Bytes;
        }
    }
}
