namespace Polyjuice.Embedded.Serialization;

/// <summary>
/// Carries how a set or dictionary compares its keys: as the type does itself, or, for strings, without regard to case. Any
/// other comparer is code that a message can't carry, and is refused rather than lost.
/// </summary>
internal static class Comparers
{
    private const byte Default = 0;
    private const byte OrdinalIgnoreCase = 1;

    /// <summary>Writes which comparer it is.</summary>
    public static void Write<T>(ref WireWriter writer, IEqualityComparer<T> comparer)
    {
        if (IsDefault(comparer)) writer.WriteByte(Default);
        else if (comparer.Equals(StringComparer.OrdinalIgnoreCase)) writer.WriteByte(OrdinalIgnoreCase);
        else throw new InvalidOperationException($"A collection that compares its {typeof(T)} keys by {comparer.GetType()} can't be carried.");
    }

    /// <summary>Reads what <see cref="Write"/> wrote.</summary>
    public static IEqualityComparer<T>? Read<T>(ref WireReader reader) => reader.ReadByte() switch
    {
        Default => null,
        OrdinalIgnoreCase when typeof(T) == typeof(string) => (IEqualityComparer<T>)(object)StringComparer.OrdinalIgnoreCase,
        _ => throw new WireFormatException("A message names an unknown comparer."),
    };

    /// <summary>Whether the comparer is the type's own.</summary>
    public static bool IsDefault<T>(IEqualityComparer<T> comparer) =>
        ReferenceEquals(comparer, EqualityComparer<T>.Default) || comparer.Equals(StringComparer.Ordinal);

    /// <summary>A key that is null or there twice.</summary>
    public static WireFormatException BadKey() => new("A message contains a set or dictionary with a key that is null or there twice.");
}
