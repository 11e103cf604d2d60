using System.Runtime.InteropServices;
using Polyjuice.Contracts;

namespace Polyjuice.Training.Search;

/// <summary>
/// A table as a search sees it: a choice for each cell of a
/// <see cref="TableSpace"/>. Immutable; compares by its choices.
/// </summary>
internal sealed class Candidate : IEquatable<Candidate>
{
    private readonly ushort[] _choices;

    internal Candidate(ushort[] choices)
    {
        _choices = choices;
        Hash = StableHash.Of(MemoryMarshal.Cast<ushort, char>(choices));
    }

    /// <summary>The choices, in the order of <see cref="TableSpace.Cells"/>.</summary>
    public ReadOnlySpan<ushort> Choices => _choices;

    /// <summary>Of the choices, the same in every process.</summary>
    public ulong Hash { get; }

    /// <summary>How many cells differ.</summary>
    /// <param name="other">Of the same space.</param>
    public int DistanceTo(Candidate other)
    {
        ArgumentNullException.ThrowIfNull(other);
        var distance = 0;
        for (var i = 0; i < _choices.Length; i++) distance += _choices[i] == other._choices[i] ? 0 : 1;
        return distance;
    }

    /// <inheritdoc/>
    public bool Equals(Candidate? other) =>
        other is not null && Hash == other.Hash && _choices.AsSpan().SequenceEqual(other._choices);

    /// <inheritdoc/>
    public override bool Equals(object? obj) => Equals(obj as Candidate);

    /// <inheritdoc/>
    public override int GetHashCode() => (int)Hash;
}
