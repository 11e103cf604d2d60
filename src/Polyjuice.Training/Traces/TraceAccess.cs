namespace Polyjuice.Training.Traces;

/// <summary>One access of a transaction's last attempt.</summary>
/// <param name="Site">
/// The number of its site in <see cref="AccessTrace.Sites"/>, whose key
/// says whether it reads or updates, and by which calls it was reached.
/// </param>
/// <param name="Participant">The number of what it accessed in <see cref="AccessTrace.Participants"/>.</param>
/// <param name="AtMicroseconds">
/// When it began, since its transaction's arrival, by the clock of the participant's silo. Clocks of silos differ, and
/// one is looked at once for each turn: it orders accesses roughly, and may be below 0.
/// </param>
/// <param name="ComputeMicroseconds">
/// What the transaction computed for it: since its previous access (the attempt's start for the first), without what it
/// waited for others and for messages. An estimate; 0 if nothing is known.
/// </param>
/// <param name="Flags">What else was seen.</param>
internal readonly record struct TraceAccess(
    int Site, int Participant, long AtMicroseconds, int ComputeMicroseconds, TraceAccessFlags Flags)
{
    /// <summary>Whether it ran in parallel with others of its transaction.</summary>
    public bool IsParallel => (Flags & TraceAccessFlags.Parallel) != 0;

    /// <summary>Whether it found another transaction in conflict with it there.</summary>
    public bool MetConflict => (Flags & TraceAccessFlags.Conflict) != 0;
}

/// <summary>What was seen of an access.</summary>
[Flags]
internal enum TraceAccessFlags : byte
{
    /// <summary>Nothing of this.</summary>
    None = 0,

    /// <summary>
    /// Something of the attempt ran in parallel before it or with it, so that its place in the order means little.
    /// </summary>
    Parallel = 1,

    /// <summary>
    /// A transaction that was not sealed yet had accessed the participant, and one of the two updates.
    /// </summary>
    Conflict = 2,
}
