namespace Polyjuice.Partitions;

/// <summary>
/// Partitions (other than the manager's own) whose log must have an outcome before it is forgotten (V6).
/// </summary>
internal sealed class Acknowledgers : List<int>
{
    /// <summary>None yet.</summary>
    public Acknowledgers()
    {
    }

    /// <summary>These.</summary>
    public Acknowledgers(IEnumerable<int> partitions) : base(partitions)
    {
    }

    /// <summary>When the outcome was last sent to them, on the host's clock.</summary>
    public long ToldAt { get; set; }

    /// <summary>How many of the first of them were asked to log the outcome soon.</summary>
    public int Hurried { get; set; }

    /// <summary>One has it in its log.</summary>
    public new void Remove(int partition)
    {
        var at = IndexOf(partition);
        if (at < 0) return;
        RemoveAt(at);
        if (at < Hurried) Hurried--;
    }
}
