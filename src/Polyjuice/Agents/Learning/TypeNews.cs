namespace Polyjuice.Agents;

/// <summary>
/// What one node tells of a type's transactions there: on the wire since it began, so that a message that is lost takes
/// nothing with it; to the one that learns from it (<see cref="TypeLearning.NoteElsewhere"/>) since it told last.
/// </summary>
/// <param name="Commits">How many have committed.</param>
/// <param name="OpenTime">
/// For how long transactions were open meanwhile, of all types and all together, in microseconds.
/// </param>
/// <param name="HasConflicts">
/// Whether so many of them end in conflicts that it is worth trying another way to let them in.
/// </param>
/// <param name="RunsDryInConflict">Whether, besides, they are run dry in any case.</param>
/// <param name="KeepsAtMost">
/// Whether they must not be run dry, so that all there is to choose is whether what they write stays private.
/// </param>
internal readonly record struct TypeNews(
    long Commits, long OpenTime, bool HasConflicts, bool RunsDryInConflict, bool KeepsAtMost = false);
