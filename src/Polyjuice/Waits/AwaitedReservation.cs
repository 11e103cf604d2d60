namespace Polyjuice.Waits;

/// <summary>A place in a queue of reservations, for whose sake a transaction waits for another one.</summary>
internal abstract class AwaitedReservation
{
    /// <summary>A wait for it has begun.</summary>
    public abstract void WaitBegins();

    /// <summary>It is over.</summary>
    public abstract void WaitEnds();
}
