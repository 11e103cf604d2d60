using Polyjuice.Execution;

namespace Polyjuice.Reconnaissance;

/// <summary>The agent waits until its attempt's reservations are held, or are not worth waiting for any longer.</summary>
internal sealed class Reserving(ReservationPlan plan, long startedAt) : TurnAwaitable
{
    private bool _isOver;

    public readonly ReservationPlan Plan = plan;

    /// <summary>When it is known to have got closer last, on the host's clock, in microseconds.</summary>
    public long MovedAt = startedAt;

    /// <summary>When the chain was last begun.</summary>
    public long SentAt = startedAt;

    /// <summary>What is activated before anything is reserved; <see langword="null"/> when nothing has to be.</summary>
    public LoadingGrains? Loading;

    /// <summary>Whether that is done: then another attempt reserves, in the place of this one.</summary>
    public bool IsLoaded { get; private set; }

    public ValueTask Over => End;

    public bool IsOver => _isOver;

    /// <summary>Whether any of it was not free at once.</summary>
    public bool HasWaited { get; private set; } = true;

    protected override bool HasEnded => _isOver;

    /// <summary>All is held, after so many waits.</summary>
    public void Held(int waits)
    {
        if (_isOver) return;
        HasWaited = waits > 0;
        Stop();
    }

    /// <summary>What had to be activated is.</summary>
    public void Loaded()
    {
        IsLoaded = true;
        Stop();
    }

    public void Stop()
    {
        if (_isOver) return;
        _isOver = true;
        Ended();
    }
}
