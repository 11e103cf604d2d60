namespace Polyjuice.Contracts;

/// <summary>
/// An access that a transaction is going to make, as it declares. What it declares wrongly costs time and nothing else.
/// </summary>
/// <param name="Key">Which state of which grain.</param>
/// <param name="Updates">Whether it will be updated.</param>
/// <param name="IsRow">Whether the state is kept in a row of its own.</param>
internal sealed record DeclaredAccess(ParticipantKey Key, bool Updates, bool IsRow = false);
