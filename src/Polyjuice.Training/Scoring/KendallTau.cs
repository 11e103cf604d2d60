namespace Polyjuice.Training.Scoring;

/// <summary>How well one order agrees with another.</summary>
internal static class KendallTau
{
    /// <summary>
    /// Kendall's τ-b of pairs of figures (Kendall, 1945): 1 if both order all alike, −1 if in reverse, 0 if they have
    /// nothing to do with each other; corrected for ties. 0 if one of them does not order at all.
    /// </summary>
    /// <param name="first">Figures.</param>
    /// <param name="second">Figures of the same things, in the same order.</param>
    /// <exception cref="ArgumentException">They are not as many, or fewer than two.</exception>
    public static double Of(IReadOnlyList<double> first, IReadOnlyList<double> second)
    {
        ArgumentNullException.ThrowIfNull(first);
        ArgumentNullException.ThrowIfNull(second);
        if (first.Count != second.Count || first.Count < 2)
            throw new ArgumentException(
                $"{first.Count} figures cannot be compared with {second.Count}; at least two of each.",
                nameof(second));
        long agree = 0, differ = 0, tiedFirst = 0, tiedSecond = 0;
        for (var i = 0; i < first.Count; i++)
        {
            for (var j = 0; j < i; j++)
            {
                var one = first[i].CompareTo(first[j]);
                var other = second[i].CompareTo(second[j]);
                if (one == 0) tiedFirst++;
                if (other == 0) tiedSecond++;
                if (one * other > 0) agree++;
                else if (one * other < 0) differ++;
            }
        }

        var pairs = (long)first.Count * (first.Count - 1) / 2;
        var scale = Math.Sqrt((double)(pairs - tiedFirst) * (pairs - tiedSecond));
        return scale > 0 ? (agree - differ) / scale : 0;
    }
}
