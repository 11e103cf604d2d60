namespace Polyjuice.Versions;

/// <summary>
/// What has to be looked at when its time has come: a tick looks at what is due, however much there is (Varghese,
/// Lauck, "Hashed and hierarchical timing wheels", SOSP 1987). Putting in and taking out cost the same
/// whatever is in it.
/// </summary>
/// <remarks>
/// A look says when the next one is due, so nobody tells the wheel that something has got further and is due later:
/// that is found out at the time that was known before. What becomes due earlier is put in again
/// (<see cref="Add"/>). What is due later than the wheel reaches is looked at when it has gone round, and goes round
/// again. Turn only.
/// </remarks>
/// <param name="slotLength">What is due within so many microseconds is looked at together: the period of ticks.</param>
/// <param name="look">
/// Looks at one at a time on the host's clock, and says when again; <see cref="Never"/> to leave it out.
/// </param>
internal sealed class DueWheel<T>(long slotLength, Func<T, long, long> look)
    where T : class, IHasDuePlace
{
    /// <summary>A time that never comes.</summary>
    public const long Never = long.MaxValue;

    /// <summary>
    /// How many there are: more than 2.5 s by default, so most of what is repeated does not go round in between.
    /// </summary>
    internal const int Slots = 512;

    // What is taken out while the others of its slot are looked at leaves a hole there.
    private readonly List<T?>?[] _slots = new List<T?>?[Slots + 1];

    // The number, on the host's clock, of the last slot that has been looked at.
    private long _last;

    /// <summary>How many are in it.</summary>
    public int Count { get; private set; }

    /// <summary>How often something was looked at.</summary>
    public long Looks { get; private set; }

    /// <summary>Has something looked at when that is due, unless it is already going to be looked at earlier.</summary>
    /// <param name="item">What.</param>
    /// <param name="due">On the host's clock, in microseconds. What is overdue is looked at in the next tick.</param>
    public void Add(T item, long due) => Put(item, Math.Clamp(((due - 1) / slotLength) + 1 - _last, 1, Slots - 1));

    /// <summary>
    /// The same in the tick after the next, whatever the time is, for what says itself when something about it is due
    /// earlier. The next one would look at what has just come.
    /// </summary>
    public void AddSoon(T item)
    {
        if (!item.Due.IsTaken) Put(item, 2L);
    }

    /// <summary>Takes something out, if it is there.</summary>
    public void Remove(T item)
    {
        ref var place = ref item.Due;
        if (!place.IsTaken) return;
        Count--;
        var slot = _slots[place.Slot]!;
        if (place.Slot == Slots)
        {
            slot[place.At] = null;
        }
        else
        {
            var moved = slot[^1]!;
            slot[place.At] = moved;
            moved.Due.At = place.At;
            slot.RemoveAt(slot.Count - 1);
        }

        place.Slot = -1;
    }

    /// <summary>
    /// Looks at what has become due. A clock that was set back, or far ahead, has everything looked at.
    /// </summary>
    /// <param name="now">On the host's clock, in microseconds.</param>
    public void Tick(long now)
    {
        var current = now / slotLength;

        // A clock that steps back a little makes that much late.
        if (current <= _last && current >= _last - 1) return;
        var count = current < _last ? Slots : (int)Math.Min(Slots, current - _last);
        for (var i = 0; i < count; i++) TakeOut((int)((current - i) & (Slots - 1)));
        _last = current;
        if (_slots[Slots] is not { Count: > 0 } due) return;
        for (var i = 0; i < due.Count; i++)
        {
            if (due[i] is not { } item) continue;
            Remove(item);
            Looks++;
            var next = look(item, now);
            if (next != Never) Add(item, next);
        }

        due.Clear();
    }

    private void Put(T item, long after)
    {
        ref var place = ref item.Due;
        if (place.IsTaken)
        {
            // What is about to be looked at says itself when again. The
            // slot that has just been looked at is a turn away.
            if (place.Slot == Slots || ((place.Slot - _last - 1) & (Slots - 1)) + 1 <= after) return;
            Remove(item);
        }

        Place(item, (int)((_last + after) & (Slots - 1)));
        Count++;
    }

    private void Place(T item, int slot)
    {
        var list = _slots[slot] ??= [];
        ref var place = ref item.Due;
        (place.Slot, place.At) = (slot, list.Count);
        list.Add(item);
    }

    private void TakeOut(int slot)
    {
        if (_slots[slot] is not { Count: > 0 } list) return;
        foreach (var item in list) Place(item!, Slots);
        list.Clear();
    }
}
