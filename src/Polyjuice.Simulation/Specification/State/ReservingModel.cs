namespace Polyjuice.Simulation.Specification.State;

/// <summary>An attempt that reserves before its body begins, as its agent has it (Q3, Q4).</summary>
/// <param name="entries">How many there are in its plan.</param>
internal sealed class ReservingModel(int entries)
{
    private readonly int[] _held = [.. Enumerable.Repeat(-1, entries)];
    private readonly int[] _countedFrom = new int[entries];

    /// <summary>When its agent asked last, on that one's wall clock, in microseconds.</summary>
    public long AskedAt { get; set; }

    /// <summary>Whether its body has begun.</summary>
    public bool HasBegun { get; set; }

    /// <summary>Whether that went on without all that it reserves.</summary>
    public bool IsCutShort { get; set; }

    /// <summary>A part of the plan is said to be held, by who had heard of so many times that it gave way.</summary>
    public void Hold(int from, int to, int generation)
    {
        for (var at = from; at < Math.Min(to, _held.Length); at++) _held[at] = Math.Max(_held[at], generation);
    }

    /// <summary>What was said of an entry before does not count.</summary>
    public void GiveWay(int at, int generation) => _countedFrom[at] = generation;

    /// <summary>
    /// An entry of which nobody has said that it is held, so that it counts; below 0 when there is none.
    /// </summary>
    public int Missing
    {
        get
        {
            for (var at = 0; at < _held.Length; at++)
            {
                if (_held[at] < _countedFrom[at]) return at;
            }

            return -1;
        }
    }
}
