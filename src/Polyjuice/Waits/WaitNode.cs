using Polyjuice.Versions;

namespace Polyjuice.Waits;

/// <summary>
/// A transaction's place in the wait graph of one node: apart from
/// it, because most wait for nobody and nobody waits for them.
/// </summary>
internal sealed class WaitNode : WaitPlace
{
    /// <summary>What it waits for here.</summary>
    public readonly List<Wait> Waits = new(1);

    /// <summary>Who waits for it here, in the order of arrival.</summary>
    public readonly List<Wait> Waiters = new(1);

    /// <summary>
    /// Since when it has been waited for as it is now: neither its first waiter came nor a wait of its own ended later.
    /// </summary>
    public long WatchedSince;

    /// <summary>When <see cref="WaitProbes"/> looks at it next; 0 when it does not.</summary>
    public long NextProbeAt;

    /// <summary>Whether the probe of a younger one has ended here since it sent its own.</summary>
    public bool WasAsked;

    // Marks of the present search for a cycle, and the edge by which it came here; see CycleSearch.
    public long SearchMark;
    public Wait? SearchVia;

    /// <summary>
    /// When it last got on, as far as is known here, on the host's clock; see <see cref="SignsOfLife"/>.
    /// </summary>
    public long ChangedAt;

    /// <summary>When other nodes were last asked for that.</summary>
    public long AskedAt;

    // What the present walk has found out; see WaitProgress.
    public long ProgressMark;
    public long ProgressAt;

    // What the present walk has found out; see WaitWalk.
    public long WalkMark;
    public WaitExit? WalkExits;
}
