using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Faults;
using Polyjuice.Storage;

namespace Polyjuice.Simulation.Storage;

/// <summary>
/// What is kept outside of all processes: a disk, or a container of blobs. It takes time, fails before and after it has
/// done what it was asked for, and does it later; a disk also loses power. Everything that was ever durable is
/// remembered beside it, so that in the end somebody can judge what was left out.
/// </summary>
internal sealed class SimulatedDevice(EventLoop loop, SimulationRandom random, FaultLedger faults, bool isDisk)
{
    private const int SectorBytes = 512;
    private readonly SortedDictionary<string, byte[]> _things = new(StringComparer.Ordinal);
    private readonly Dictionary<string, byte[]> _gone = new(StringComparer.Ordinal);
    private readonly Dictionary<string, AppendUnderWay> _leftBehind = new(StringComparer.Ordinal);
    private readonly Dictionary<string, byte[]> _deletedSinceSync = new(StringComparer.Ordinal);
    private readonly List<PendingEffect> _pending = [];

    /// <summary>How bad it is now.</summary>
    public StorageProfile Profile { get; set; } = new();

    public bool IsDisk => isDisk;

    /// <summary>Small, so that batches go in parts and segments end soon.</summary>
    public int AppendBytesMax { get; init; } = 1 << 20;

    /// <summary>Every object that was ever put.</summary>
    public List<(string Name, byte[] Bytes)> Puts { get; } = [];

    /// <summary>
    /// Everything that was ever there and lasted, what was deleted included;
    /// of a name that was made anew after it was deleted, the first.
    /// </summary>
    public IEnumerable<KeyValuePair<string, byte[]>> Everything =>
        _gone.Concat(_things.Where(thing => !_gone.ContainsKey(thing.Key)));

    public ILogDevice ViewOf(Func<bool> isAlive) => new SimulatedDeviceView(this, isAlive);

    /// <summary>
    /// The machine loses its power: what was under way, and what a failed
    /// write has left behind, is there in part, or whole, or not at all.
    /// </summary>
    public void FailPower()
    {
        foreach (var effect in _pending.ToArray())
        {
            effect.IsOver = true;
            if (effect.Append is { } append) Tear(append.Segment, append.Offset, append.Bytes);
            else if (random.Chance(0.5)) effect.Apply();
        }

        _pending.Clear();
        foreach (var left in _leftBehind.Values) Tear(left.Segment, left.Offset, left.Bytes);

        if (isDisk) LeaveRoom();
        foreach (var (name, bytes) in _deletedSinceSync)
        {
            if (random.Chance(0.3) && faults.TryEnter(FaultKinds.TornWrite)) _things.TryAdd(name, bytes);
        }

        _leftBehind.Clear();
        _deletedSinceSync.Clear();
    }

    public Task<DeviceAppendResult> AppendAsync(
        SimulatedDeviceView view, string segment, long offset, ReadOnlyMemory<byte> bytes,
        CancellationToken cancellationToken)
    {
        loop.Note(bytes.Span);
        var copy = bytes.ToArray();

        // The next write begins with cutting what a failed one has left behind.
        _leftBehind.Remove(segment);
        var isLate = !isDisk && random.Chance(Profile.LateWrite) && faults.TryEnter(FaultKinds.LateWrite);
        DeviceAppendResult? result = null;
        return DoAsync(
            view,
            () =>
            {
                var known = Find(segment);
                result = known.Length == offset ? DeviceAppendResult.Appended : DeviceAppendResult.Conflict;
                if (result == DeviceAppendResult.Appended) _things[segment] = [.. known, .. copy];
            },
            () => result!.Value,
            isLate ? Fate.Late : Draw(),
            new AppendUnderWay(segment, offset, copy),
            cancellationToken);
    }

    public Task<bool> CreateAsync(SimulatedDeviceView view, string segment, CancellationToken cancellationToken) =>
        DoAsync(view, () => Enter(segment, []), static () => true, Draw(), null, cancellationToken);

    public Task<bool> TruncateAsync(
        SimulatedDeviceView view, string segment, long length, CancellationToken cancellationToken) =>
        DoAsync(
            view,
            () => _things[segment] = Find(segment)[..(int)length],
            static () => true,
            Draw(),
            null,
            cancellationToken);

    public Task<bool> DeleteAsync(SimulatedDeviceView view, string name, CancellationToken cancellationToken) =>
        DoAsync(
            view,
            () =>
            {
                if (!_things.Remove(name, out var bytes)) return;
                _gone.TryAdd(name, bytes);
                if (isDisk) _deletedSinceSync[name] = bytes;
            },
            static () => true,
            Draw(),
            null,
            cancellationToken);

    public Task<bool> PutAsync(
        SimulatedDeviceView view, string name, byte[] bytes, bool overwrite, CancellationToken cancellationToken)
    {
        loop.Note(bytes);
        var isNew = false;
        return DoAsync(
            view,
            () =>
            {
                isNew = !_things.ContainsKey(name);
                if (!isNew && !overwrite) return;
                _things.Remove(name);
                Enter(name, bytes);
                Puts.Add((name, bytes));
            },
            () => isNew || overwrite,
            Draw(),
            null,
            cancellationToken);
    }

    public Task<T> LookAsync<T>(Func<SortedDictionary<string, byte[]>, T> look, CancellationToken cancellationToken)
    {
        var done = new TaskCompletionSource<T>(TaskCreationOptions.RunContinuationsAsynchronously);
        var fails = random.Chance(Profile.ReadError) && faults.TryEnter(FaultKinds.ReadError);
        loop.Queue(Delay(), EventKind.LogRead, 0, () =>
        {
            if (fails) done.TrySetException(new IOException("The device cannot be read (simulated)."));
            else Answer(done, () => look(_things));
        });
        return cancellationToken.CanBeCanceled ? OrCancelled(done, cancellationToken) : done.Task;
    }

    private enum Fate : byte
    {
        Work,
        FailBefore,
        FailAfter,
        Late,
    }

    private Task<T> DoAsync<T>(
        SimulatedDeviceView view, Action apply, Func<T> result, Fate fate, AppendUnderWay? append,
        CancellationToken cancellationToken)
    {
        var done = new TaskCompletionSource<T>(TaskCreationOptions.RunContinuationsAsynchronously);
        var delay = Delay();
        var effect = new PendingEffect(apply, append);
        _pending.Add(effect);
        loop.Queue(
            fate == Fate.Late ? delay + random.Between(0, Profile.SlowDelay) : delay / 2,
            EventKind.AppendEffect,
            0,
            () =>
            {
                _pending.Remove(effect);

                // What a dead process had sent may have got through, or not.
                if (effect.IsOver || (!view.IsAlive && random.Chance(0.5))) return;
                if (fate == Fate.FailBefore)
                {
                    if (isDisk && append is not null && _things.TryGetValue(append.Segment, out var known)
                        && known.Length == append.Offset)
                        _leftBehind[append.Segment] = append;
                    return;
                }

                try
                {
                    apply();
                }
                catch (FileNotFoundException)
                {
                    // Whoever waits is told below, if anybody does.
                }
            });
        loop.Queue(delay, EventKind.AppendAnswer, 0, () =>
        {
            if (fate != Fate.Work) done.TrySetException(new IOException("The device failed (simulated)."));
            else if (!effect.IsOver && view.IsAlive) Answer(done, result);
        });
        return !isDisk && cancellationToken.CanBeCanceled ? OrCancelled(done, cancellationToken) : done.Task;
    }

    private static void Answer<T>(TaskCompletionSource<T> done, Func<T> result)
    {
        try
        {
            done.TrySetResult(result());
        }
        catch (FileNotFoundException exception)
        {
            done.TrySetException(exception);
        }
        catch (InvalidOperationException exception)
        {
            done.TrySetException(new FileNotFoundException("There is no such segment (simulated).", exception));
        }
    }

    private static async Task<T> OrCancelled<T>(TaskCompletionSource<T> done, CancellationToken cancellationToken)
    {
        await using var registration = cancellationToken.Register(() => done.TrySetCanceled(cancellationToken));
        return await done.Task;
    }

    private Fate Draw()
    {
        if (random.Chance(Profile.ErrorBefore) && faults.TryEnter(FaultKinds.ErrorBeforeWrite)) return Fate.FailBefore;
        return random.Chance(Profile.ErrorAfter) && faults.TryEnter(FaultKinds.ErrorAfterWrite)
            ? Fate.FailAfter
            : Fate.Work;
    }

    private long Delay()
    {
        // Several of these make one operation of a log.
        var delay = random.Between(Profile.DelayMin / 2, Profile.DelayMax / 2);
        return random.Chance(Profile.Slow) && faults.TryEnter(FaultKinds.SlowStorage)
            ? delay + random.Between(0, Profile.SlowDelay)
            : delay;
    }

    private byte[] Find(string name) =>
        _things.TryGetValue(name, out var known)
            ? known
            : throw new FileNotFoundException($"There is no {name} (simulated).");

    private void Enter(string name, byte[] bytes)
    {
        _things.TryAdd(name, bytes);

        // Its folder was flushed, and with it what was deleted there.
        _deletedSinceSync.Clear();
    }

    private void Tear(string segment, long offset, byte[] bytes)
    {
        if (!_things.TryGetValue(segment, out var known) || known.Length != offset || random.Chance(0.25)) return;
        if (random.Chance(0.25))
        {
            _things[segment] = [.. known, .. bytes];
            return;
        }

        if (!faults.TryEnter(FaultKinds.TornWrite)) return;
        var torn = bytes[..(1 + random.Next(bytes.Length))];
        for (var at = offset; at < offset + torn.Length; at = (at / SectorBytes + 1) * SectorBytes)
        {
            if (random.Chance(0.7)) continue;
            var start = (int)(at - offset);
            var end = (int)Math.Min(torn.Length, (at / SectorBytes + 1) * SectorBytes - offset);
            torn.AsSpan(start, end - start).Clear();
        }

        _things[segment] = [.. known, .. torn];
    }

    /// <summary>Segments that were not closed end in room that was made for appends to come.</summary>
    private void LeaveRoom()
    {
        foreach (var name in _things.Keys.Where(
            static name => name.EndsWith(LogIdentity.SegmentSuffix, StringComparison.Ordinal))
            .ToArray())
        {
            if (random.Chance(0.3)) _things[name] = [.. _things[name], .. new byte[1 + random.Next(3 * SectorBytes)]];
        }
    }

    private sealed record AppendUnderWay(string Segment, long Offset, byte[] Bytes);

    private sealed class PendingEffect(Action apply, AppendUnderWay? append)
    {
        public Action Apply => apply;

        public AppendUnderWay? Append => append;

        public bool IsOver { get; set; }
    }
}
