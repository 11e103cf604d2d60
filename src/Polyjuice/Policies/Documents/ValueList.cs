using System.Collections;

namespace Polyjuice.Policies;

/// <summary>An immutable list that compares by its elements, so that records made of lists compare by value.</summary>
internal sealed class ValueList<T>(T[] items) : IReadOnlyList<T>
{
    public static readonly ValueList<T> Empty = new([]);

    public int Count => items.Length;

    public T this[int index] => items[index];

    public IEnumerator<T> GetEnumerator() => ((IEnumerable<T>)items).GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => items.GetEnumerator();

    public override bool Equals(object? obj) =>
        obj is ValueList<T> other && items.AsSpan().SequenceEqual(other.AsSpan());

    public override int GetHashCode()
    {
        var hash = items.Length;
        foreach (var item in items) hash = unchecked((hash * 31) + EqualityComparer<T>.Default.GetHashCode(item!));
        return hash;
    }

    private ReadOnlySpan<T> AsSpan() => items;
}

/// <summary>Makes value lists.</summary>
internal static class ValueList
{
    public static IReadOnlyList<T> Of<T>(IEnumerable<T> items) => items as ValueList<T> ?? new ValueList<T>([.. items]);
}
