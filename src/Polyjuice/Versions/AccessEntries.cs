namespace Polyjuice.Versions;

/// <summary>
/// A branch's entries in the order of their first access, linked through themselves: most branches have one or two.
/// </summary>
internal struct AccessEntries
{
    private AccessEntry? _first;

    public void Add(AccessEntry entry)
    {
        if (_first is null)
        {
            _first = entry;
            return;
        }

        var last = _first;
        while (last.Next is { } next) last = next;
        last.Next = entry;
    }

    public void Remove(AccessEntry entry)
    {
        if (_first == entry)
        {
            _first = entry.Next;
            return;
        }

        for (var before = _first; before is not null; before = before.Next)
        {
            if (before.Next != entry) continue;
            before.Next = entry.Next;
            return;
        }
    }

    public readonly Enumerator GetEnumerator() => new(_first);

    public struct Enumerator(AccessEntry? first)
    {
        private AccessEntry? _next = first;

        public AccessEntry Current { get; private set; } = null!;

        public bool MoveNext()
        {
            if (_next is null) return false;
            Current = _next;
            _next = _next.Next;
            return true;
        }
    }
}
