namespace Polyjuice.Training.Search;

/// <summary>A candidate that was replayed, and how it did against the reference table with the same seeds.</summary>
/// <param name="candidate">Which.</param>
internal sealed class Standing(Candidate candidate)
{
    private readonly List<double> _ratios = [];

    public Candidate Candidate => candidate;

    /// <summary>How many rungs of the ladder of seeds it has been on: the first so many, or some of them.</summary>
    public int Depth => _ratios.Count;

    /// <summary>The mean of its scores, each divided by what the reference came to with the same seed.</summary>
    public double Mean => _ratios.Average();

    /// <summary>The mean less what chance may have given: what a table is trusted to be worth. By it a table that was lucky once does not stand before one that was good often.</summary>
    /// <param name="noise">The standard deviation of one ratio.</param>
    public double Trusted(double noise) => Mean - (noise / Math.Sqrt(Depth));

    /// <summary>The sum of squared deviations from the mean, and how many degrees of freedom it has.</summary>
    public (double Squares, int Freedom) Spread
    {
        get
        {
            var mean = Mean;
            return (_ratios.Sum(ratio => (ratio - mean) * (ratio - mean)), Depth - 1);
        }
    }

    public void Add(double ratio) => _ratios.Add(ratio);
}
