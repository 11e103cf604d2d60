using System.Buffers;
using Orleans.Runtime;
using Polyjuice.Agents;
using Polyjuice.Orleans.Silos;

namespace Polyjuice.Orleans.Turns;

/// <summary>
/// The calls of an engine's transactions to grains that run one call at a time, while they are not answered. One that
/// has not begun after a while is taken to wait for the grain's turn: the grain's engine is asked, which knows who
/// holds that. On the engine's turn.
/// </summary>
/// <param name="engine">The engine.</param>
/// <param name="engines">All of its silo.</param>
/// <param name="keepers">Which grains run one call at a time.</param>
/// <param name="peers">The engines of other silos.</param>
internal sealed class QueuedCalls(
    SiloEngine engine, IReadOnlyList<SiloEngine> engines, TurnKeepers keepers, EngineServiceClient peers)
{
    /// <summary>
    /// How long a call may take to begin before it is asked about; twice as long before each further time.
    /// </summary>
    private const long PatienceMicroseconds = 5_000;

    private const long IntervalMicrosecondsMax = 160_000;

    /// <summary>
    /// From then on it is believed that a call waits for itself: whatever runs beside it has been heard of.
    /// </summary>
    private const long SureMicroseconds = 100_000;

    private readonly LinkedList<QueuedCall> _recent = [];
    private readonly List<QueuedCall> _late = [];
    private bool _isScheduled;

    /// <summary>A call is about to be made.</summary>
    public void Add(QueuedCall call)
    {
        call.Recent = _recent.AddLast(call);
        Schedule();
    }

    /// <summary>It is over.</summary>
    public void Remove(QueuedCall call)
    {
        if (call.Recent is { } place) _recent.Remove(place);
        else _late.Remove(call);
        call.Recent = null;
    }

    private void Schedule()
    {
        if (_isScheduled) return;
        _isScheduled = true;
        engine.Turn.Schedule(PatienceMicroseconds, static state => ((QueuedCalls)state!).Look(), this);
    }

    private void Look()
    {
        _isScheduled = false;
        var now = engine.Turn.TurnTime;
        while (_recent.First?.Value is { } call && now - call.Since >= PatienceMicroseconds)
        {
            _recent.RemoveFirst();
            call.Recent = null;
            _late.Add(call);
        }

        foreach (var call in _late.ToArray())
        {
            if (now >= call.NextAt && !call.HasBegun) Ask(call, now);
        }

        if (_recent.Count + _late.Count > 0) Schedule();
    }

    private void Ask(QueuedCall call, long now)
    {
        call.NextAt = now + Math.Min(Math.Max(now - call.Since, PatienceMicroseconds), IntervalMicrosecondsMax);
        if (engine.GrainTurns.Find(call.Target) is { } turn
            && turn.Await(call.Call, call.Key, call.IsReadOnly, call.MayBeLetIn) is not TurnAnswer.None and var answer)
        {
            call.Hear(answer, IsSure(call, now));
            return;
        }

        List<SiloAddress> places = [];
        var isPlaced = keepers.IsPlacedByPartition(call.Target.Type);
        var owner = isPlaced ? engine.Places.OwnerOf(call.Target) : null;
        if (!isPlaced) places.AddRange(engine.Places.View.Others(engine.Node));
        else if (owner is not null && !owner.Equals(engine.Silo)) places.Add(owner);

        // Which engine of this silo has the grain is not asked: it may be about to change.
        var mayBeHere = engines.Count > 1 && (!isPlaced || engine.Silo.Equals(owner));
        if (places.Count == 0 && !mayBeHere) return;
        if (mayBeHere) call.Travel();
        var wait = new ArrayBufferWriter<byte>(64);
        call.Call.WriteTurnWait(wait);
        var bytes = wait.WrittenSpan.ToArray();

        // Neither on the turn nor in anybody's flow.
        using (ExecutionContext.SuppressFlow())
        {
            if (mayBeHere) _ = Task.Run(() => AskHere(call, bytes));
            foreach (var place in places) _ = Task.Run(() => AskAsync(call, place, bytes));
        }
    }

    private void AskHere(QueuedCall call, byte[] wait)
    {
        foreach (var other in engines)
        {
            if (other == engine) continue;
            var answer = other.GrainTurns.Await(call.Target, call.Key, call.IsReadOnly, call.MayBeLetIn, wait);
            if (answer != TurnAnswer.None) Hear(call, new(answer, other.Node.Value));
        }
    }

    private async Task AskAsync(QueuedCall call, SiloAddress place, byte[] wait)
    {
        try
        {
            var found = await peers.AwaitTurnAsync(place, engine.Places.View.EnginesOf(place), call, wait);
            if (found.Answer != TurnAnswer.None) Hear(call, found);
        }
        catch (Exception exception)
        {
            // It is asked about again, if it still waits then.
            HostLog.TurnUnknown(engine.Logger, exception, call.Target);
        }
    }

    private void Hear(QueuedCall call, TurnFound found)
    {
        using (engine.Turn.Enter())
        {
            call.Call.NoteDestination(new(found.Node));
            call.Hear(found.Answer, IsSure(call, engine.Turn.TurnTime));
        }
    }

    private static bool IsSure(QueuedCall call, long now) => now - call.Since >= SureMicroseconds;
}
