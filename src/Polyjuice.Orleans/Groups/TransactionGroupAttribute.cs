namespace Polyjuice;

/// <summary>
/// Declares the group of a grain class's grains: those of one group are in the same log partition, so they live on the
/// same silo, and a transaction that updates no others commits by one append. Without it a grain is a group of its own.
/// </summary>
/// <remarks>
/// <para>Grains are of one group if its name and its value are the same, whatever their classes are. The value is what
/// the properties say of the grain's key, as text: numbers in decimal, GUIDs with hyphens.</para>
/// <para>The declaration says where states are kept. While logs hold states of the class, it can't be changed: a silo
/// whose declaration differs from the one that they were written with does not start. All silos of a cluster must have
/// the same.</para>
/// <para>A group is served by one silo, on one of its engine's partitions: as many grains as one silo can serve, and no
/// more, should be in it.</para>
/// </remarks>
/// <param name="name">
/// The group's name, such as <c>"warehouse"</c>: 1 to 64 of <c>a-z A-Z 0-9 - _ .</c>
/// </param>
[AttributeUsage(AttributeTargets.Class)]
public sealed class TransactionGroupAttribute(string name) : Attribute
{
    /// <summary>The group's name.</summary>
    public string Name { get; } = name;

    /// <summary>
    /// What an integer key is divided by, rounded down: districts <c>warehouse * 100 + district</c> are of the group of
    /// their warehouse by 100. Default 0, which takes the key as it is; at least 1 otherwise.
    /// </summary>
    public long DividedBy { get; set; }

    /// <summary>
    /// What separates the parts of a string key, or of a compound key's extension: at least one character, compared
    /// ordinally. Default <see langword="null"/>: the text has one part.
    /// </summary>
    public string? Separator { get; set; }

    /// <summary>
    /// Which of those parts is the group, from 0, the default: what is before the first <see cref="Separator"/>. A
    /// grain whose key has no such part, or an empty one, can't be called.
    /// </summary>
    public int Part { get; set; }

    /// <summary>What of a compound key is the group. Default <see cref="TransactionGroupKey.Whole"/>.</summary>
    public TransactionGroupKey Key { get; set; }
}
