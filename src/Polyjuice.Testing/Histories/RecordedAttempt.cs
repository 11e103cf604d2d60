using System.Security.Cryptography;
using Polyjuice.Isolation;

namespace Polyjuice.Testing;

/// <summary>
/// One attempt at a transaction. Its code runs once, or again when the engine lets a part of what it had done stand.
/// Then the writes of that part are made anew and must be the same ones, or the engine would not know them again: a
/// write of the same content on the same version gets the stamp that it had. Thread-safe.
/// </summary>
internal sealed class RecordedAttempt(HistoryRecorder recorder, long began)
{
    private readonly Lock _gate = new();
    private readonly Dictionary<(string Key, long? Seen, UInt128 Content), long> _stamps = [];
    private readonly List<(string Key, long Stamp)> _issued = [];
    private readonly HashSet<long> _issuedInRun = [];
    private List<RecordedStep> _steps = [];

    /// <summary>When it began, on the recorder's count of events.</summary>
    public long Began => began;

    /// <summary>
    /// Another run of it begins: what the one before did stands only as far as this one does it again.
    /// </summary>
    public void Restart()
    {
        lock (_gate)
        {
            _steps = [];
            _issuedInRun.Clear();
        }
    }

    /// <summary>An access begins.</summary>
    public RecordedStep Begin(string key)
    {
        var step = new RecordedStep(this, key);
        lock (_gate) _steps.Add(step);
        return step;
    }

    /// <summary>A function sees a state.</summary>
    public Sight See<T>(Stamped<T> state) where T : class, new() =>
        new(recorder.NextOrder(), recorder.StampOf(state), null);

    /// <summary>A function has changed a state.</summary>
    public Sight Write<T>(string key, Sight before, Stamped<T> state, ReadOnlySpan<byte> content) where T : class, new()
    {
        state.Recording = recorder.Id;
        state.Stamp = Issue(key, before.Seen, content);
        return before with { Written = state.Stamp };
    }

    /// <summary>
    /// The steps of its last run, in the order in which each state was accessed, and what else it wrote.
    /// </summary>
    /// <param name="mayBeEffective">
    /// Whether writes of accesses that are not over count: the attempt has not ended, or nobody knows how.
    /// </param>
    public (IReadOnlyList<MicroOp> Steps, IReadOnlyList<MicroOp> Dropped) Read(bool mayBeEffective)
    {
        lock (_gate)
        {
            var seen = _steps.Where(step => step.Sight is not null)
                .Select(step => (step.Key, Sight: step.Sight!.Value));
            var steps = new List<MicroOp>();
            var kept = new HashSet<long>();
            foreach (var (key, sight) in seen.OrderBy(step => step.Sight.Order))
            {
                steps.Add(MicroOp.ReadValue(key, sight.Seen));
                if (sight.Written is not { } stamp) continue;
                steps.Add(MicroOp.Write(key, stamp));
                kept.Add(stamp);
            }

            var dropped = new List<MicroOp>();
            foreach (var (key, stamp) in _issued)
            {
                if (!kept.Add(stamp)) continue;
                (mayBeEffective && _issuedInRun.Contains(stamp) ? steps : dropped).Add(MicroOp.Write(key, stamp));
            }

            return (steps, dropped);
        }
    }

    private long Issue(string key, long? seen, ReadOnlySpan<byte> content)
    {
        Span<byte> hash = stackalloc byte[SHA256.HashSizeInBytes];
        SHA256.HashData(content, hash);
        var write = (key, seen, BitConverter.ToUInt128(hash));
        lock (_gate)
        {
            if (_stamps.TryGetValue(write, out var known) && _issuedInRun.Add(known)) return known;
            var stamp = recorder.NextStamp();
            _stamps[write] = stamp;
            _issued.Add((key, stamp));
            _issuedInRun.Add(stamp);
            return stamp;
        }
    }
}
