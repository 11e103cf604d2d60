using Polyjuice.Contracts;
using Polyjuice.Waits;
using Polyjuice.Wire;

namespace Polyjuice.Reservations;

/// <summary>
/// What all queues of reservations of an engine share, and in which of them somebody waits. Turn only.
/// </summary>
/// <param name="context">Whose.</param>
/// <param name="waits">Where who waits in a queue is entered.</param>
/// <param name="hot">Is told of participants that are reserved.</param>
/// <param name="calls">Asked where a queue can't decide.</param>
internal sealed class ReservationQueues(
    EngineContext context, WaitGraph waits, HotParticipants hot, IReservationCalls calls)
{
    private readonly List<ReservationQueue> _waitedFor = [];
    private readonly List<ReservationRequest> _standing = [];

    public long Now => context.Now;

    public EngineOptions Options => context.Options;

    public EngineStatistics Statistics => context.Statistics;

    public ProtocolBreaks Breaks => context.Breaks;

    public WaitGraph Waits => waits;

    public HotParticipants Hot => hot;

    public IReservationCalls Calls => calls;

    /// <summary>Who hears of what queues do, if anybody does.</summary>
    public IQueueEvents? Events { get; set; }

    /// <summary>Somebody waits in a queue, as the first one.</summary>
    public void WaitBegins(ReservationQueue queue)
    {
        if (queue.Waiting++ > 0) return;
        queue.WaitedForAt = _waitedFor.Count;
        _waitedFor.Add(queue);
    }

    /// <summary>One waits less in a queue.</summary>
    public void WaitEnds(ReservationQueue queue)
    {
        if (--queue.Waiting > 0) return;
        var moved = _waitedFor[^1];
        _waitedFor[queue.WaitedForAt] = moved;
        moved.WaitedForAt = queue.WaitedForAt;
        _waitedFor.RemoveAt(_waitedFor.Count - 1);
    }

    /// <summary>
    /// Who has waited for a reservation for some time, while nobody who holds it got on, may wait in a circle.
    /// </summary>
    public void AskToGiveWay(long now)
    {
        if (_waitedFor.Count == 0) return;
        var most = now - Options.TickMicroseconds;
        foreach (var queue in _waitedFor)
        {
            if (queue.HandedAt <= most) queue.AddWaiting(_standing, most);
        }

        // Who is asked may be here, and leave: waits end and begin by that.
        foreach (var request in _standing)
        {
            if (request is { HasLeft: false, IsHeld: false }) calls.AskToGiveWay(request, byAge: true);
        }

        _standing.Clear();
    }
}
