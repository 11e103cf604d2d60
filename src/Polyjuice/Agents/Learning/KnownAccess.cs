using Polyjuice.Contracts;

namespace Polyjuice.Agents;

/// <summary>
/// An access that a transaction is going to make, as was learned or is declared: no dry run of it has to show that.
/// </summary>
/// <param name="Key">Which state of which grain.</param>
/// <param name="IsRow">Whether it is kept in a row of its own.</param>
/// <param name="Updates">Whether it may be updated.</param>
/// <param name="Accesses">How often it is accessed; 0 when that is not known.</param>
internal readonly record struct KnownAccess(ParticipantKey Key, bool IsRow, bool Updates, int Accesses)
{
    /// <summary>
    /// The same, when another rule or another key says it too: of two, nobody knows how often each counts.
    /// </summary>
    public KnownAccess And(AccessRule other) => this with { Updates = Updates || other.Updates, Accesses = 0 };
}
