namespace Polyjuice.Training.Conflicts;

/// <summary>The conflicts of a graph that are frequent enough to care about. Immutable.</summary>
/// <param name="graph">All conflicts.</param>
/// <param name="others">Transactions that are in flight beside one.</param>
/// <param name="least">How many of those, at the least, are to conflict with one at a site, in the mean.</param>
internal sealed class Meetings(ConflictGraph graph, int others, double least)
{
    /// <summary>Whether transactions at a site often find others in conflict that come to another site.</summary>
    /// <param name="at">Where the one is.</param>
    /// <param name="other">Where the others are.</param>
    public bool Meet(SitePlace at, SitePlace other) =>
        graph.Rivals(at, other) * others is > 0 and var met && met >= least;

    /// <summary>Whether they often find others in conflict at any site that is looked for.</summary>
    /// <param name="at">Where the one is.</param>
    /// <param name="where">Which of the others' sites count.</param>
    public bool MeetAny(SitePlace at, Func<SitePlace, bool> where) =>
        graph.Sites.Any(other => where(other) && Meet(at, other));

    /// <summary>The last site of a type that a site meets; −1 if it meets none.</summary>
    /// <param name="at">The site.</param>
    /// <param name="type">The type's place in the catalogue.</param>
    public int LastMet(SitePlace at, int type) =>
        graph.Sites.Where(other => other.Type == type && Meet(at, other)).Select(other => other.Position)
            .DefaultIfEmpty(-1).Max();

    /// <summary>The last site of a type that a site, or a later one of its transaction, meets; −1 if none.</summary>
    /// <param name="at">The site.</param>
    /// <param name="type">The type's place in the catalogue.</param>
    public int LastMetFrom(SitePlace at, int type) =>
        graph.Sites.Where(own => own.Type == at.Type && own.Position >= at.Position).Max(own => LastMet(own, type));
}
