using Polyjuice.Lab.Load;

namespace Tpcc.Workload;

/// <summary>How many percent of the transactions are of each of the five types.</summary>
public sealed record TransactionMix
{
    private readonly int[] _percents;

    /// <summary>Makes a mix.</summary>
    /// <param name="newOrder">Percent, as all others. Their sum is 100.</param>
    /// <param name="payment">Percent.</param>
    /// <param name="delivery">Percent.</param>
    /// <param name="orderStatus">Percent.</param>
    /// <param name="stockLevel">Percent.</param>
    /// <exception cref="ArgumentException">One is negative, or the sum is another.</exception>
    public TransactionMix(int newOrder, int payment, int delivery, int orderStatus, int stockLevel)
    {
        _percents = [newOrder, payment, delivery, orderStatus, stockLevel];
        if (_percents.Sum() != 100 || _percents.Any(percent => percent < 0))
            throw new ArgumentException($"The shares of a mix are percents that add up to 100, not {this}.");
    }

    /// <summary>The standard's (clause 5.2.3).</summary>
    public static TransactionMix Standard { get; } = new(45, 43, 4, 4, 4);

    /// <summary>A mix at random: every type has a share.</summary>
    /// <param name="random">Where the choices come from.</param>
    public static TransactionMix Any(BenchmarkRandom random)
    {
        ArgumentNullException.ThrowIfNull(random);
        // Four different cuts through what is left when each has had its first percent.
        var cuts = Enumerable.Range(0, 4).Select(_ => random.Next(96)).Order().ToArray();
        return new(1 + cuts[0], 1 + cuts[1] - cuts[0], 1 + cuts[2] - cuts[1], 1 + cuts[3] - cuts[2], 1 + 95 - cuts[3]);
    }

    /// <summary>Draws the type of a transaction.</summary>
    internal int Choose(BenchmarkRandom random)
    {
        var left = random.Next(100);
        var type = 0;
        while ((left -= _percents[type]) >= 0) type++;
        return type;
    }

    /// <inheritdoc/>
    public override string ToString() => string.Join('/', _percents);
}
