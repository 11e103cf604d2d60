using System.Runtime.CompilerServices;
using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Faults;
using Polyjuice.Storage;

namespace Polyjuice.Simulation.Storage;

/// <summary>
/// The logs of all partitions, which outlive every process, with appends that take time and may fail in every way.
/// </summary>
internal sealed class SimulatedLogs : ISimulatedStorage
{
    private readonly EventLoop _loop;
    private readonly SimulationRandom _random;
    private readonly List<(BatchId Id, byte[] Bytes)>[] _logs;
    private readonly List<AppendRequest> _held = [];
    private readonly List<AppendRequest> _unheard = [];
    private readonly Dictionary<(ISimulatedProcess Process, int Partition), long> _busyUntil = [];
    private readonly FaultLedger _faults;

    /// <summary>Creates empty logs.</summary>
    /// <param name="loop">When things happen.</param>
    /// <param name="random">A stream of its own.</param>
    /// <param name="partitions">At least 1.</param>
    /// <param name="faults">Where faults are counted; they stop when it is full.</param>
    public SimulatedLogs(EventLoop loop, SimulationRandom random, int partitions, FaultLedger faults)
    {
        _faults = faults;
        _loop = loop;
        _random = random;
        _logs = new List<(BatchId, byte[])>[partitions];
        for (var i = 0; i < partitions; i++) _logs[i] = [];
    }

    /// <summary>How bad they are now.</summary>
    public StorageProfile Profile { get; set; } = new();

    /// <summary>How many appends an owner may have under way. Default 1.</summary>
    public int AppendsUnderWay { get; init; } = 1;

    /// <summary>Decides about each append when it is asked for.</summary>
    public Func<AppendRequest, AppendFate>? Hook { get; set; }

    /// <summary>Hears of each batch that is written.</summary>
    public Action<AppendRequest>? Written { get; set; }

    /// <summary>
    /// Hears of each append whose process crashes before it is answered, and whether it was written by then.
    /// </summary>
    public Action<AppendRequest, bool>? Interrupted { get; set; }

    /// <summary>Appends that were given <see cref="AppendFate.Hold"/> and neither released nor lost.</summary>
    public IReadOnlyList<AppendRequest> Held => _held;

    /// <summary>How many logs there are.</summary>
    public int PartitionCount => _logs.Length;

    /// <summary>What a log holds.</summary>
    public IReadOnlyList<(BatchId Id, byte[] Bytes)> Batches(int partition) => _logs[partition];

    /// <inheritdoc/>
    public ILogStore For(ISimulatedProcess process) => new ProcessStore(this, process);

    /// <inheritdoc/>
    /// <remarks>Whether an append of a dead process gets through is drawn when it would.</remarks>
    public void Crashed(ISimulatedProcess process)
    {
        foreach (var request in _unheard)
        {
            if (request.Process == process) Interrupted?.Invoke(request, request.IsWritten);
        }

        _unheard.RemoveAll(request => request.Process == process);
    }

    /// <inheritdoc/>
    public void StopFaults()
    {
        Hook = null;
        Profile = Profile with { ErrorBefore = 0, ErrorAfter = 0, LateWrite = 0, ReadError = 0, Slow = 0 };
        ReleaseAll();
    }

    /// <summary>Lets a held append happen, with the given fate.</summary>
    public void Release(AppendRequest request, AppendFate fate = AppendFate.Work)
    {
        if (!_held.Remove(request)) throw new InvalidOperationException("The append is not held.");
        Begin(request, fate);
    }

    /// <summary>A held append never happens, and nobody hears of it.</summary>
    public void Lose(AppendRequest request) => _held.Remove(request);

    /// <summary>Lets all happen that are held.</summary>
    public void ReleaseAll()
    {
        foreach (var request in _held.ToArray()) Release(request);
    }

    private Task<AppendResult> AppendAsync(AppendRequest request)
    {
        if (!request.Process.IsAlive) return request.Answer.Task;
        _loop.Note(request.Bytes);
        var fate = Hook?.Invoke(request) ?? AppendFate.Usual;
        if (fate == AppendFate.Usual) fate = Draw();
        _unheard.Add(request);

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

    private AppendFate Draw()
    {
        if (_random.Chance(Profile.ErrorBefore) && _faults.TryEnter(FaultKinds.ErrorBeforeWrite))
            return AppendFate.FailBefore;
        if (_random.Chance(Profile.ErrorAfter) && _faults.TryEnter(FaultKinds.ErrorAfterWrite))
            return AppendFate.FailAfter;
        if (_random.Chance(Profile.LateWrite) && _faults.TryEnter(FaultKinds.LateWrite))
            return AppendFate.FailThenAppear;
        return AppendFate.Work;
    }

    private long Delay()
    {
        var delay = _random.Between(Profile.DelayMin, Profile.DelayMax);
        return _random.Chance(Profile.Slow) && _faults.TryEnter(FaultKinds.SlowStorage)
            ? delay + _random.Between(0, Profile.SlowDelay)
            : delay;
    }

    private void Effect(AppendRequest request, long delay, Func<AppendResult, AppendResult?>? answer)
    {
        _loop.Queue(InOrder(request, delay / 2), EventKind.AppendEffect, request.Partition, () =>
        {
            // What a dead process had sent may have got through, or not.
            if (!request.Process.IsAlive && _random.Chance(0.5)) return;
            var result = Apply(request);
            if (answer is not null) Answer(request, delay - (delay / 2), result is { } known ? answer(known) : null);
        });
    }

    /// <summary>
    /// An owner's appends come one after the other; but one that is
    /// behind another not always, because it is refused then.
    /// </summary>
    private long InOrder(AppendRequest request, long delay)
    {
        if (AppendsUnderWay == 1) return delay;
        var key = (request.Process, request.Partition);
        if (request.Behind is null || !_random.Chance(0.1))
            delay = Math.Max(delay, _busyUntil.GetValueOrDefault(key) - _loop.Now);
        _busyUntil[key] = _loop.Now + delay;
        return delay;
    }

    /// <summary><see langword="null"/> when it comes before the batch that it is to be behind.</summary>
    private AppendResult? Apply(AppendRequest request)
    {
        var log = _logs[request.Partition];
        if (request.Position < log.Count)
            return log[(int)request.Position].Id == request.BatchId ? AppendResult.Appended : AppendResult.Conflict;
        if (request.Position > log.Count) return request.Behind is null ? AppendResult.Conflict : null;
        if (request.Behind is { } behind && log[^1].Id != behind) return AppendResult.Conflict;
        log.Add((request.BatchId, request.Bytes));
        request.IsWritten = true;
        Written?.Invoke(request);
        return AppendResult.Appended;
    }

    private void Answer(AppendRequest request, long delay, AppendResult? result)
    {
        request.Process.Queue(delay, EventKind.AppendAnswer, () =>
        {
            _unheard.Remove(request);
            if (result is { } known && request.Process.HearsStorage) request.Answer.SetResult(known);
            else request.Answer.SetException(new IOException("The storage failed (simulated)."));
        });
    }

    private Task<T> LaterAsync<T>(ISimulatedProcess process, Func<T> read)
    {
        var done = new TaskCompletionSource<T>(TaskCreationOptions.RunContinuationsAsynchronously);
        var fails = _random.Chance(Profile.ReadError) && _faults.TryEnter(FaultKinds.ReadError);
        process.Queue(Delay(), EventKind.LogRead, () =>
        {
            if (fails || !process.HearsStorage)
                done.SetException(new IOException("The log cannot be read (simulated)."));
            else done.SetResult(read());
        });
        return done.Task;
    }

    private sealed class ProcessStore(SimulatedLogs logs, ISimulatedProcess process) : ILogStore
    {
        public int PartitionCount => logs.PartitionCount;

        public IPartitionLog Open(int partition) => new ProcessLog(logs, process, partition);
    }

    private sealed class ProcessLog(SimulatedLogs logs, ISimulatedProcess process, int partition) : IPartitionLog
    {
        public ValueTask<AppendResult> AppendAsync(
            long position, BatchId batchId, ReadOnlyMemory<byte> batch, CancellationToken cancellationToken) =>
            new(logs.AppendAsync(new AppendRequest(process, partition, position, batchId, batch.ToArray())));

        public int AppendsUnderWayMax => logs.AppendsUnderWay;

        public ValueTask<AppendResult> AppendBehindAsync(
            BatchId behind, long position, BatchId batchId, ReadOnlyMemory<byte> batch,
            CancellationToken cancellationToken) =>
            new(logs.AppendAsync(new AppendRequest(process, partition, position, batchId, batch.ToArray(), behind)));

        public ValueTask<long> GetEndAsync(CancellationToken cancellationToken) =>
            new(logs.LaterAsync(process, () => (long)logs._logs[partition].Count));

        public async IAsyncEnumerable<ReadOnlyMemory<byte>> ReadAsync(
            long from, long to, [EnumeratorCancellation] CancellationToken cancellationToken)
        {
            var batches = await logs.LaterAsync(
                process, () => logs._logs[partition].Skip((int)from).Take((int)(to - from)).ToArray());
            if (batches.Length < to - from) throw new InvalidOperationException($"The log ends before position {to}.");
            foreach (var batch in batches) yield return batch.Bytes;
        }
    }
}
