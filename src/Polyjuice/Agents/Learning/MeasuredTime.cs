namespace Polyjuice.Agents;

/// <summary>
/// How long a transaction takes, from its first attempt until it has committed, what it waits and what gets nowhere
/// included: its logarithm, as a mean of windows and with their variance, the latest 16 or so. A mutable struct.
/// </summary>
/// <remarks>
/// Of a window it is the time that transactions were open in it, all together, for each that committed: Little's law, L
/// = λW ("A proof for the queuing formula", Operations Research 1961), read for W. Where clients wait for one
/// transaction before they begin the next one, it is one over the throughput; where they come at a rate of their own,
/// which no throughput can exceed, it still says what is quicker. Of logarithms, because one window in which the
/// machine did something else is not to outweigh all others. Mean and variance are weighted exponentially once there
/// are enough (Finch, "Incremental calculation of weighted mean and variance", 2009).
/// </remarks>
internal struct MeasuredTime
{
    private const int Latest = 16;

    private double _variance;

    /// <summary>Windows that it is made of; the latest ones, when there were many.</summary>
    public int Windows { get; private set; }

    /// <summary>Of the logarithm of microseconds.</summary>
    public double Mean { get; private set; }

    /// <summary>The variance of <see cref="Mean"/>, after two windows and more.</summary>
    public readonly double VarianceOfMean => _variance / Math.Max(1, Windows - 1);

    /// <summary>What a window says: the logarithm of microseconds.</summary>
    /// <param name="commits">In it. If there were none, it counts as if half a transaction had committed.</param>
    /// <param name="open">For how long transactions were open in it, all of them together, in microseconds.</param>
    public static double Of(long commits, long open) => Math.Log(Math.Max(1, open) / Math.Max(0.5, commits));

    /// <summary>A window is over.</summary>
    /// <param name="time">What it says (<see cref="Of"/>).</param>
    public void Add(double time)
    {
        Windows = Math.Min(Windows + 1, Latest);
        var weight = 1.0 / Windows;
        var difference = time - Mean;
        Mean += weight * difference;
        _variance = (1 - weight) * (_variance + (weight * difference * difference));
    }
}
