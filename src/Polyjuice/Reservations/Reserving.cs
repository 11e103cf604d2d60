using Polyjuice.Contracts;
using Polyjuice.Wire;

namespace Polyjuice.Reservations;

/// <summary>
/// The agent waits until its attempt's reservations are held, or are not worth waiting for any longer.
/// </summary>
internal sealed class Reserving(ReservationPlan plan, long startedAt) : TurnAwaitable
{
    private bool _isOver;

    // Only of those that are not all held at once, as one silo says.
    private bool[]? _held;
    private int _missing;
    private int _waits;
    private int[]? _heldSince;

    public readonly ReservationPlan Plan = plan;

    /// <summary>
    /// How often it has given way to an older attempt. What is said of what it held before does not count.
    /// </summary>
    public int Generation { get; private set; }

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

    /// <summary>Whether something was passed over that nobody serves.</summary>
    public bool HasGap { get; private set; }

    protected override bool HasEnded => _isOver;

    /// <summary>A part of the plan is held.</summary>
    public void Held(in HeldPart part)
    {
        if (_isOver) return;
        _waits += part.Waits;
        HasGap |= part.HasGap;
        if (part.From > 0 || part.To < Plan.Entries.Length || _heldSince is not null)
        {
            Track();
            for (var at = part.From; at < Math.Min(part.To, Plan.Entries.Length); at++)
            {
                if (_held![at] || part.Generation < (_heldSince?[at] ?? 0)) continue;
                _held[at] = true;
                _missing--;
            }

            if (_missing > 0) return;
        }

        HasWaited = _waits > 0;
        Stop();
    }

    /// <summary>An entry is not counted on any longer, until it is said again to be held.</summary>
    /// <param name="at">Which.</param>
    /// <returns>The generation that this begins.</returns>
    public int GiveWay(int at)
    {
        Track();
        if (_held![at]) _missing++;
        _held[at] = false;
        return (_heldSince ??= new int[Plan.Entries.Length])[at] = ++Generation;
    }

    private void Track()
    {
        if (_held is not null) return;
        _held = new bool[Plan.Entries.Length];
        _missing = _held.Length;
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
