using Polyjuice.Partitions;

namespace Polyjuice.Agents;

/// <summary>
/// This node's live attempts, in the order of their numbers (R1c). They are linked through themselves.
/// </summary>
internal sealed class LiveAttempts(OldestAttempt known)
{
    private AgentTransaction? _youngest;
    private long _sequence;

    /// <summary>
    /// The first; the next ones follow by <see cref="AgentTransaction.Younger"/>. Other threads may see it a moment
    /// later.
    /// </summary>
    public AgentTransaction? Oldest { get; private set; }

    /// <summary>The least number of a live attempt; all lower ones are done with (R1c).</summary>
    public long OldestLive => known.Number;

    /// <summary>The number of the next attempt.</summary>
    public long NextNumber()
    {
        _sequence++;
        NoteOldest();
        return _sequence;
    }

    /// <summary>It begins. Its number is the latest.</summary>
    public void Add(AgentTransaction agent)
    {
        agent.Older = _youngest;
        if (_youngest is null) Oldest = agent;
        else _youngest.Younger = agent;
        _youngest = agent;
        NoteOldest();
    }

    /// <summary>
    /// Its caller is being told. Who goes through them may be at this one, so it still knows the next.
    /// </summary>
    public void Remove(AgentTransaction agent)
    {
        var (older, younger) = (agent.Older, agent.Younger);
        if (older is null) Oldest = younger;
        else older.Younger = younger;
        if (younger is null) _youngest = older;
        else younger.Older = older;
        agent.Older = null;
        NoteOldest();
    }

    private void NoteOldest() => known.Number = Oldest is { } oldest ? oldest.Transaction.Id.Sequence : _sequence + 1;
}
