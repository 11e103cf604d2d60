using System.Globalization;
using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Faults;
using Polyjuice.Simulation.Grains;
using Polyjuice.Storage;

namespace Polyjuice.Simulation.Storage;

/// <summary>
/// Rows, which outlive every process, kept as a provider would that makes two steps of a large change: prepared states
/// first, then the rest. Each step takes time, is conditional on the ETag, and may fail before or after its effect, or
/// happen later.
/// </summary>
internal sealed class SimulatedRows(EventLoop loop, SimulationRandom random, FaultLedger faults)
{
    private readonly Dictionary<int, RowContent<Account>> _rows = [];
    private readonly List<RowRequest> _held = [];
    private long _lastETag;

    /// <summary>How bad they are now.</summary>
    public StorageProfile Profile { get; set; } = new();

    /// <summary>How many changes are made in two steps.</summary>
    public double Split { get; set; }

    /// <summary>Decides about each change when it is asked for.</summary>
    public Func<RowRequest, RowFate>? Hook { get; set; }

    /// <summary>Hears of each change that is made as a whole: what was there before, and what is there now.</summary>
    public Action<RowRequest, RowContent<Account>, RowContent<Account>>? Written { get; set; }

    /// <summary>Changes that were given <see cref="RowFate.Hold"/>, and not released.</summary>
    public IReadOnlyList<RowRequest> Held => _held;

    /// <summary>Changes that were made.</summary>
    public long Stores { get; private set; }

    /// <summary>What a row holds.</summary>
    public RowContent<Account> Content(int row) => _rows.GetValueOrDefault(row) ?? RowContent<Account>.None;

    /// <summary>Puts something there, as another engine would have left it.</summary>
    public void Put(int row, RowContent<Account> content) => _rows[row] = content with { ETag = NextETag() };

    /// <summary>A row as one process reaches it.</summary>
    public IRowStore<Account> For(ISimulatedProcess process, int row) => new ProcessRow(this, process, row);

    /// <summary>From now on nothing goes wrong any more.</summary>
    public void StopFaults()
    {
        Hook = null;
        Split = 0;
        Profile = Profile with { ErrorBefore = 0, ErrorAfter = 0, LateWrite = 0, ReadError = 0, Slow = 0 };
        foreach (var request in _held.ToArray()) Release(request);
    }

    /// <summary>Lets a held change happen, with the given fate.</summary>
    public void Release(RowRequest request, RowFate fate = RowFate.Work)
    {
        if (!_held.Remove(request)) throw new InvalidOperationException("The change is not held.");
        Begin(request, fate);
    }

    private Task<string> StoreAsync(RowRequest request)
    {
        if (!request.Process.IsAlive) return request.Answer.Task;
        foreach (var guid in request.Metadata.CommitRecords.Keys) loop.Note(guid.ToByteArray());
        var fate = Hook?.Invoke(request) ?? RowFate.Usual;
        if (fate == RowFate.Usual) fate = Draw(request);
        if (fate == RowFate.Hold) _held.Add(request);
        else Begin(request, fate);
        return request.Answer.Task;
    }

    private RowFate Draw(RowRequest request)
    {
        if (random.Chance(Profile.ErrorBefore) && faults.TryEnter(FaultKinds.ErrorBeforeWrite))
            return RowFate.FailBefore;
        if (random.Chance(Profile.ErrorAfter) && faults.TryEnter(FaultKinds.ErrorAfterWrite)) return RowFate.FailAfter;
        if (random.Chance(Profile.LateWrite) && faults.TryEnter(FaultKinds.LateWrite)) return RowFate.FailThenAppear;
        if (Split == 0 || (request.Prepare.Count == 0 && request.AbortAfter is null)) return RowFate.Work;
        if (random.Chance(Profile.ErrorAfter + Profile.ErrorBefore) && faults.TryEnter(FaultKinds.TornWrite))
            return RowFate.FailHalfWay;
        return random.Chance(Split) ? RowFate.InTwoSteps : RowFate.Work;
    }

    private void Begin(RowRequest request, RowFate fate)
    {
        var delay = random.Between(Profile.DelayMin, Profile.DelayMax);
        if (random.Chance(Profile.Slow) && faults.TryEnter(FaultKinds.SlowStorage))
            delay += random.Between(0, Profile.SlowDelay);
        switch (fate)
        {
            case RowFate.FailBefore:
                Answer(request, delay, null);
                break;
            case RowFate.FailAfter:
                Effect(request, delay / 2, () =>
                {
                    Apply(request, request.ExpectedETag);
                    Answer(request, delay - (delay / 2), null);
                });
                break;
            case RowFate.FailThenAppear:
                Answer(request, delay, null);
                Effect(
                    request, delay + random.Between(0, Profile.SlowDelay), () => Apply(request, request.ExpectedETag));
                break;
            case RowFate.FailHalfWay:
                Effect(request, delay / 2, () =>
                {
                    ApplyFirst(request);
                    Answer(request, delay - (delay / 2), null);
                });
                break;
            case RowFate.InTwoSteps:
                Effect(request, delay / 3, () =>
                {
                    var between = ApplyFirst(request);
                    Effect(
                        request,
                        delay / 3,
                        () => Answer(request, delay / 3, between is null ? null : Apply(request, between)));
                });
                break;
            default:
                Effect(
                    request,
                    delay / 2,
                    () => Answer(request, delay - (delay / 2), Apply(request, request.ExpectedETag)));
                break;
        }
    }

    private void Effect(RowRequest request, long delay, Action run) =>
        loop.Queue(delay, EventKind.AppendEffect, request.Row, () =>
        {
            // What a dead process had sent may have got through, or not.
            if (request.Process.IsAlive || random.Chance(0.5)) run();
        });

    /// <summary>Returns the new ETag, or nothing if the row is not the one that was expected.</summary>
    private string? ApplyFirst(RowRequest request)
    {
        var row = Content(request.Row);
        if (row.ETag != request.ExpectedETag) return null;
        _rows[request.Row] = row with
        {
            ETag = NextETag(),
            PendingStates = MemoryRowStore.Prepare(row.PendingStates, request.Prepare, request.AbortAfter)
        };
        return _rows[request.Row].ETag;
    }

    private string? Apply(RowRequest request, string? expectedETag)
    {
        var row = Content(request.Row);
        if (row.ETag != expectedETag) return null;
        var after = MemoryRowStore.Apply(
            row, NextETag(), request.Metadata, request.Prepare, request.CommitUpTo, request.AbortAfter);
        _rows[request.Row] = after;
        Stores++;
        Written?.Invoke(request, row, after);
        return after.ETag;
    }

    private void Answer(RowRequest request, long delay, string? etag) =>
        request.Process.Queue(delay, EventKind.AppendAnswer, () =>
        {
            if (etag is not null && request.Process.HearsStorage) request.Answer.SetResult(etag);
            else request.Answer.SetException(new IOException("The row could not be stored (simulated)."));
        });

    private Task<RowContent<Account>> LoadAsync(ISimulatedProcess process, int row)
    {
        var done = new TaskCompletionSource<RowContent<Account>>(TaskCreationOptions.RunContinuationsAsynchronously);
        var fails = random.Chance(Profile.ReadError) && faults.TryEnter(FaultKinds.ReadError);
        process.Queue(random.Between(Profile.DelayMin, Profile.DelayMax), EventKind.LogRead, () =>
        {
            if (fails || !process.HearsStorage)
                done.SetException(new IOException("The row cannot be read (simulated)."));
            else done.SetResult(Content(row));
        });
        return done.Task;
    }

    private string NextETag() => (++_lastETag).ToString(CultureInfo.InvariantCulture);

    private sealed class ProcessRow(SimulatedRows rows, ISimulatedProcess process, int row) : IRowStore<Account>
    {
        public ValueTask<RowContent<Account>> LoadAsync(CancellationToken cancellationToken) =>
            new(rows.LoadAsync(process, row));

        public ValueTask<string> StoreAsync(
            string? expectedETag, RowMetadata metadata, IReadOnlyList<RowPendingState<Account>> statesToPrepare,
            long? commitUpTo, long? abortAfter, CancellationToken cancellationToken) =>
            new(
                rows.StoreAsync(
                    new RowRequest(process, row, expectedETag, metadata, statesToPrepare, commitUpTo, abortAfter)));
    }
}

/// <summary>What becomes of a change of a row.</summary>
internal enum RowFate : byte
{
    /// <summary>As the profile says.</summary>
    Usual,

    /// <summary>It works.</summary>
    Work,

    /// <summary>It works, and others may see the row between its two steps.</summary>
    InTwoSteps,

    /// <summary>It is reported as failed, and nothing was done.</summary>
    FailBefore,

    /// <summary>It is done, and reported as failed.</summary>
    FailAfter,

    /// <summary>It is reported as failed after its first step, and the second never comes.</summary>
    FailHalfWay,

    /// <summary>It is reported as failed, and done later if the row is still the same.</summary>
    FailThenAppear,

    /// <summary>Nothing happens until it is released.</summary>
    Hold,
}
