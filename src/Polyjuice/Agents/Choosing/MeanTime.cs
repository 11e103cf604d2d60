namespace Polyjuice.Agents;

/// <summary>The mean of the latest windows, each a logarithm of how long transactions take. A mutable struct.</summary>
internal struct MeanTime
{
    private const int Latest = 8;

    /// <summary>How many windows it is of.</summary>
    public int Count { get; private set; }

    /// <summary>The mean.</summary>
    public double Value { get; private set; }

    /// <summary>A window is over.</summary>
    public void Add(double value)
    {
        Count = Math.Min(Count + 1, Latest);
        Value += (value - Value) / Count;
    }
}
