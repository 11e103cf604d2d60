namespace Polyjuice.Contracts;

/// <summary>Names one transactional state of one grain, the same on every silo and in the logs.</summary>
/// <param name="Grain">The grain's identity as text, type and key ("AccountGrain/42").</param>
/// <param name="State">The state's name within the grain ("checking").</param>
/// <param name="GrainClass">
/// The grain's class; with <paramref name="State"/> it names what access sites are about.
/// </param>
internal sealed record ParticipantKey(string Grain, string State, string GrainClass)
{
    /// <summary>
    /// Whether both name the same state. Each access looks for one, most often with the very strings that are found.
    /// </summary>
    public bool Equals(ParticipantKey? other) =>
        ReferenceEquals(this, other)
            || (other is not null && string.Equals(Grain, other.Grain) && string.Equals(State, other.State)
                && string.Equals(GrainClass, other.GrainClass));

    /// <summary>
    /// Of the grain alone: it has a handful of states, and to hash their names too costs each access more than to tell
    /// them apart. Another one in each process.
    /// </summary>
    public override int GetHashCode() => StringComparer.Ordinal.GetHashCode(Grain);
}
