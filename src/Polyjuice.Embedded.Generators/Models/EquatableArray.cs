using System.Collections;
using System.Collections.Immutable;

namespace Polyjuice.Embedded.Generators;

/// <summary>A list that equals another by its items, so that a pipeline step with an equal result ends there.</summary>
internal readonly struct EquatableArray<T>(ImmutableArray<T> items) : IEquatable<EquatableArray<T>>, IEnumerable<T>
    where T : IEquatable<T>
{
    private ImmutableArray<T> Items => items.IsDefault ? [] : items;

    public int Count => Items.Length;

    public T this[int index] => Items[index];

    public bool Equals(EquatableArray<T> other) => Items.SequenceEqual(other.Items);

    public override bool Equals(object? obj) => obj is EquatableArray<T> other && Equals(other);

    public override int GetHashCode() => Items.Aggregate(17, static (hash, item) => unchecked((hash * 31) + item.GetHashCode()));

    public IEnumerator<T> GetEnumerator() => ((IEnumerable<T>)Items).GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
}
