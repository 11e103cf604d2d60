namespace Polyjuice.Commit;

/// <summary>Partitions (other than the manager's own) whose log must have an outcome before it is forgotten (V6).</summary>
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
}
