namespace Polyjuice.Publishing.Following;

/// <summary>
/// What was seen published last: the place may lose it, and then nobody has said that an older release is to be in
/// force. For one flow.
/// </summary>
internal sealed class SeenReleases
{
    private HashSet<string> _counted = new(StringComparer.Ordinal);
    private PolicyHistory _history = PolicyHistory.Empty;
    private PolicyHistory? _lost;
    private PolicyMemory? _recalled;

    /// <summary>What the place had when it was last looked at, lost or not.</summary>
    public PolicyHistory Known => _lost ?? _history;

    /// <summary>What the cluster's silos have seen before counts as seen, if it has all that was seen here.</summary>
    public void Recall(PolicyMemory memory)
    {
        if (!memory.Knows(_history.Counted)) return;
        _counted = new(memory.Counted, StringComparer.Ordinal);
        _recalled = memory;
    }

    /// <summary>
    /// Whether the place lacks entries that counted when they were seen, and has no new one that counts. Who publishes
    /// or rolls back after the loss says what is to be in force; a loss alone says nothing.
    /// </summary>
    public bool IsSetBack(PolicyHistory history)
    {
        var present = history.Entries.Where(static entry => entry.State != PolicyEntryState.Broken)
            .Select(static entry => entry.Sha256);
        return _counted.Except(present).Any() && _counted.IsSupersetOf(history.Counted);
    }

    /// <summary>The place has lost what was published last.</summary>
    /// <param name="history">What it has.</param>
    /// <param name="recalled">
    /// What the cluster's silos had in force, if that was recalled and nothing was seen since.
    /// </param>
    /// <returns>Whether that was not known yet.</returns>
    public bool Lose(PolicyHistory history, out PolicyMemory? recalled)
    {
        recalled = null;
        if (_lost?.Chain == history.Chain) return false;
        _lost = history;
        (recalled, _recalled) = (_recalled, null);
        return true;
    }

    /// <summary>The place has what it had, or somebody has said since what is to be in force.</summary>
    /// <returns>Whether it had lost something.</returns>
    public bool Follow(PolicyHistory history)
    {
        var wasLost = _lost is not null;
        (_lost, _recalled) = (null, null);
        _history = history;
        if (history.Break is null) _counted = new(history.Counted, StringComparer.Ordinal);
        return wasLost;
    }
}
