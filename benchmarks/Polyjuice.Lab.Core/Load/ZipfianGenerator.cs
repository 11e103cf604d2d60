namespace Polyjuice.Lab.Load;

/// <summary>
/// The zipfian distribution over a fixed number of items: the item of rank r (from 1) is drawn with probability
/// proportional to 1 / r^θ. Exact for every θ ≥ 0 (0 is uniform; 1 and above are fine too), by binary search in the
/// table of cumulative probabilities, where the usual approximation (Gray et al., SIGMOD 1994) needs 0 ≤ θ &lt; 1.
/// Ranks are scrambled by a seeded permutation, so that hot items do not sit side by side. Immutable and thread-safe:
/// one serves all clients.
/// </summary>
public sealed class ZipfianGenerator
{
    private readonly double[] _cumulative;
    private readonly int[] _itemByRank;

    /// <summary>Builds the table.</summary>
    /// <param name="items">1 to 100,000,000.</param>
    /// <param name="theta">Skew, 0 to 100.</param>
    /// <param name="scrambleSeed">
    /// Which item gets which rank; <see langword="null"/> leaves item 0 the hottest, item 1 the next.
    /// </param>
    public ZipfianGenerator(int items, double theta, ulong? scrambleSeed = null)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(items, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(items, 100_000_000);
        if (!(theta >= 0 && theta <= 100))
            throw new ArgumentOutOfRangeException(nameof(theta), theta, "θ is a number from 0 to 100.");
        Theta = theta;
        _cumulative = new double[items];
        var sum = 0.0;
        for (var rank = 0; rank < items; rank++) _cumulative[rank] = sum += Math.Pow(rank + 1, -theta);
        for (var rank = 0; rank < items; rank++) _cumulative[rank] /= sum;
        _itemByRank = new int[items];
        for (var rank = 0; rank < items; rank++) _itemByRank[rank] = rank;
        if (scrambleSeed is { } seed) Shuffle(_itemByRank, new BenchmarkRandom(seed));
    }

    /// <summary>Number of items.</summary>
    public int Items => _cumulative.Length;

    /// <summary>Skew.</summary>
    public double Theta { get; }

    /// <summary>The item that has a rank.</summary>
    /// <param name="rank">From 0, the hottest.</param>
    public int ItemOfRank(int rank) => _itemByRank[rank];

    /// <summary>The exact probability of a rank.</summary>
    /// <param name="rank">From 0, the hottest.</param>
    public double ProbabilityOfRank(int rank) => _cumulative[rank] - (rank == 0 ? 0 : _cumulative[rank - 1]);

    /// <summary>Draws an item.</summary>
    public int Next(BenchmarkRandom random)
    {
        var u = random.NextDouble();
        int low = 0, high = _cumulative.Length - 1;
        while (low < high)
        {
            var middle = (int)(((uint)low + (uint)high) >> 1);
            if (_cumulative[middle] > u) high = middle;
            else low = middle + 1;
        }

        return _itemByRank[low];
    }

    /// <summary>Draws different items: fills <paramref name="items"/> in the order drawn.</summary>
    /// <param name="random">Where the choices come from.</param>
    /// <param name="items">Its length is at most <see cref="Items"/>.</param>
    public void NextDistinct(BenchmarkRandom random, Span<long> items)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(items.Length, Items);
        for (var i = 0; i < items.Length; i++)
        {
            long item;
            // Under extreme skew a fresh rank may never come up, so after many repeats the next free item is taken.
            var tries = 0;
            do item = tries++ < 1_000 ? Next(random) : (tries + items[0]) % Items;
            while (items[..i].Contains(item));
            items[i] = item;
        }
    }

    private static void Shuffle(int[] values, BenchmarkRandom random)
    {
        for (var i = values.Length - 1; i > 0; i--)
        {
            var j = random.Next(i + 1);
            (values[i], values[j]) = (values[j], values[i]);
        }
    }
}
