using Polyjuice.Execution;

namespace Polyjuice.Reconnaissance;

/// <summary>An access that a transaction is going to make, as far as was learned.</summary>
/// <param name="Key">Which state of which grain.</param>
/// <param name="IsRow">Whether it is kept in a row of its own.</param>
/// <param name="Updates">Whether it may be updated.</param>
/// <param name="Accesses">How often it is accessed; 0 when that is not known.</param>
internal readonly record struct LearnedAccess(ParticipantKey Key, bool IsRow, bool Updates, int Accesses)
{
    /// <summary>The same, when another rule or another key says it too: of two, nobody knows how often each counts.</summary>
    public LearnedAccess And(AccessRule other) => this with { Updates = Updates || other.Updates, Accesses = 0 };
}
