namespace Polyjuice.Lab.Load;

/// <summary>
/// A small seeded random source (SplitMix64; Steele, Lea and Flood, OOPSLA 2014): the same seed gives the same choices
/// on every platform and version. Not thread-safe: one per client.
/// </summary>
public sealed class BenchmarkRandom
{
    private ulong _state;

    /// <summary>Starts at a seed; every value is fine.</summary>
    public BenchmarkRandom(ulong seed) => _state = seed;

    /// <summary>64 random bits.</summary>
    public ulong Next()
    {
        var z = _state += 0x9E3779B97F4A7C15UL;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9UL;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBUL;
        return z ^ (z >> 31);
    }

    /// <summary>A number from 0 to <paramref name="bound"/> − 1.</summary>
    /// <param name="bound">At least 1. The bias of at most bound / 2^64 is far below what any run could see.</param>
    public int Next(int bound)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(bound, 1);
        return (int)Math.BigMul(Next(), (ulong)bound, out _);
    }

    /// <summary>A number from one to another, both included.</summary>
    public int Between(int least, int most) => least + Next(most - least + 1);

    /// <summary>One of some values, each as likely as the others.</summary>
    /// <param name="values">At least one.</param>
    public T Any<T>(IReadOnlyList<T> values)
    {
        ArgumentNullException.ThrowIfNull(values);
        return values[Next(values.Count)];
    }

    /// <summary>A number in [0, 1) with 53 random bits.</summary>
    public double NextDouble() => (Next() >> 11) * (1.0 / (1UL << 53));

    /// <summary>A waiting time of a Poisson process, in the unit of <paramref name="mean"/>.</summary>
    /// <param name="mean">Greater than 0.</param>
    public double NextExponential(double mean) => -mean * Math.Log(1.0 - NextDouble());

    /// <summary>The seed of an independent stream: for client <paramref name="index"/> of a run, for example.</summary>
    public static ulong Derive(ulong seed, ulong index)
    {
        var random = new BenchmarkRandom(seed ^ (index * 0xD1342543DE82EF95UL));
        random.Next();
        return random.Next();
    }
}
