namespace Tpcc.Loading;

/// <summary>
/// A small seeded random source (SplitMix64; Steele, Lea and Flood, OOPSLA 2014): the same seed gives the same
/// choices on every platform and version. Not thread-safe.
/// </summary>
internal sealed class SeededRandom(ulong seed)
{
    private ulong _state = seed;

    /// <summary>A number from 0 to <paramref name="bound"/> − 1.</summary>
    /// <param name="bound">At least 1.</param>
    public int Next(int bound) => (int)Math.BigMul(Next(), (ulong)bound, out _);

    /// <summary>A number from one to another, both included.</summary>
    public int Between(int least, int most) => least + Next(most - least + 1);

    /// <summary>A number in [0, 1) with 53 random bits.</summary>
    public double NextDouble() => (Next() >> 11) * (1.0 / (1UL << 53));

    /// <summary>The seed of an independent stream.</summary>
    public static ulong Derive(ulong seed, ulong index)
    {
        var random = new SeededRandom(seed ^ (index * 0xD1342543DE82EF95UL));
        random.Next();
        return random.Next();
    }

    private ulong Next()
    {
        var z = _state += 0x9E3779B97F4A7C15UL;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9UL;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBUL;
        return z ^ (z >> 31);
    }
}
