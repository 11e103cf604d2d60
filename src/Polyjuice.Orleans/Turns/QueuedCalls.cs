using System.Buffers;
using Microsoft.Extensions.DependencyInjection;
using Orleans.Runtime;
using Polyjuice.Agents;
using Polyjuice.Orleans.Silos;

namespace Polyjuice.Orleans.Turns;

/// <summary>
/// The calls of this silo's transactions to grains that run one call at a time, while they are not answered. One that
/// has not begun after a while is taken to wait for the grain's turn: the engine of the grain's silo is asked, which
/// knows who holds that. On the engine's turn.
/// </summary>
internal sealed class QueuedCalls(SiloEngine silo, TurnKeepers keepers, IServiceProvider services)
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
        silo.Turn.Schedule(PatienceMicroseconds, static state => ((QueuedCalls)state!).Look(), this);
    }

    private void Look()
    {
        _isScheduled = false;
        var now = silo.Turn.TurnTime;
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
        if (silo.GrainTurns.Find(call.Target) is { } turn
            && turn.Await(call.Call, call.Key, call.IsReadOnly, call.MayBeLetIn) is not TurnAnswer.None and var answer)
        {
            call.Hear(answer, IsSure(call, now));
            return;
        }

        List<SiloAddress> places = [];
        if (!keepers.IsPlacedByPartition(call.Target.Type)) places.AddRange(silo.Places.View.Others(silo.Node));
        else if (silo.Places.OwnerOf(call.Target) is { } owner && !owner.Equals(silo.Silo)) places.Add(owner);
        if (places.Count == 0) return;
        var wait = new ArrayBufferWriter<byte>(64);
        call.Call.WriteTurnWait(wait);
        var bytes = wait.WrittenSpan.ToArray();

        // Neither on the turn nor in anybody's flow.
        using (ExecutionContext.SuppressFlow())
        {
            foreach (var place in places) _ = Task.Run(() => AskAsync(call, place, bytes));
        }
    }

    private async Task AskAsync(QueuedCall call, SiloAddress place, byte[] wait)
    {
        try
        {
            var answer = await services.GetRequiredService<EngineServiceClient>().AwaitTurnAsync(place, call, wait);
            if (answer == TurnAnswer.None) return;
            using (silo.Turn.Enter())
            {
                call.Call.NoteDestination(NodeIds.Of(place));
                call.Hear(answer, IsSure(call, silo.Turn.TurnTime));
            }
        }
        catch (Exception exception)
        {
            // It is asked about again, if it still waits then.
            HostLog.TurnUnknown(silo.Logger, exception, call.Target);
        }
    }

    private static bool IsSure(QueuedCall call, long now) => now - call.Since >= SureMicroseconds;
}
