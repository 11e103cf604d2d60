using Polyjuice.Execution;

namespace Polyjuice.Reconnaissance;

/// <summary>A transaction's place in the queue for one participant: waiting, or held.</summary>
internal sealed class ReservationRequest(ReservationQueue queue, LocalTransaction transaction, bool isExclusive, int siteId)
{
    private readonly TaskCompletionSource<bool> _end = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public readonly ReservationQueue Queue = queue;
    public readonly LocalTransaction Transaction = transaction;
    public readonly bool IsExclusive = isExclusive;

    /// <summary>The site of the access that waits, or <see cref="Wait.ReservationSite"/>.</summary>
    public readonly int SiteId = siteId;

    public ReservationRequest? Previous;
    public ReservationRequest? Next;

    /// <summary>The nearest one ahead that conflicts, while it waits.</summary>
    public ReservationRequest? BlockedBy;

    /// <summary>The edge of the wait graph that stands for that.</summary>
    public Wait? Edge;

    /// <summary>When its agent was told last that the queue moves.</summary>
    public long ToldAt;

    /// <summary>Since when it is held, if anybody wants to know.</summary>
    public long HeldAt;

    public bool IsHeld { get; private set; }

    /// <summary>Completes on the engine's turn, in a later event: true when it is held, false when it has left the queue instead.</summary>
    public Task<bool> Granted => _end.Task;

    public void Hold()
    {
        IsHeld = true;
        _end.TrySetResult(true);
    }

    public void GiveUp() => _end.TrySetResult(false);
}
