using Polyjuice.Contracts;

namespace Polyjuice.Partitions;

/// <summary>
/// States of one grain class that the host looks at from time to time without accessing them. A list of them is kept,
/// so that to look costs nothing where there are none, however many other states there are.
/// </summary>
internal sealed class WatchedStates(LogOwners logs)
{
    private bool _hasWatched;

    /// <summary>The grain class; to be set before a partition is served.</summary>
    public string? WatchedClass { get; set; }

    /// <summary>Whether there is such a state here, or was. Any thread.</summary>
    public bool HasWatched => Volatile.Read(ref _hasWatched);

    /// <summary>
    /// Those of the log partitions that this node serves, each with the timestamp of its last ordered version, which
    /// may not be decided yet; 0 if there is none. On the turn.
    /// </summary>
    public IEnumerable<(ParticipantKey State, long WrittenAt)> Watched()
    {
        foreach (var owner in logs.All)
        {
            if (!owner.IsActive) continue;
            foreach (var participant in owner.Watched) yield return (participant.Key, participant.Last.Wts);
        }
    }

    public void NoteWatched() => Volatile.Write(ref _hasWatched, true);
}
