using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Runs;

namespace Polyjuice.Simulation.Events;

/// <summary>
/// SplitMix64: the same numbers from the same seed on every runtime, which <see cref="Random"/> does not promise.
/// </summary>
/// <param name="seed">Any number.</param>
internal sealed class SimulationRandom(ulong seed)
{
    private ulong _state = seed;

    /// <summary>A well-mixed function of a number.</summary>
    public static ulong Mix(ulong z)
    {
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9UL;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBUL;
        return z ^ (z >> 31);
    }

    /// <summary>The next 64 bits.</summary>
    public ulong Next()
    {
        var z = _state += 0x9E3779B97F4A7C15UL;
        return Mix(z);
    }

    /// <summary>0 to <paramref name="bound"/> − 1.</summary>
    public int Next(int bound) => (int)(Next() % (ulong)bound);

    /// <summary>Both ends included.</summary>
    public long Between(long low, long high) => high <= low ? low : low + (long)(Next() % (ulong)(high - low + 1));

    /// <summary>0 to just below 1.</summary>
    public double NextDouble() => (Next() >> 11) * (1.0 / (1UL << 53));

    /// <summary>Whether something of that probability happens. Draws nothing when it cannot.</summary>
    public bool Chance(double probability) => probability > 0 && NextDouble() < probability;

    /// <summary>One of them.</summary>
    public T Pick<T>(IReadOnlyList<T> items) => items[Next(items.Count)];

    /// <summary>
    /// A stream of its own, so that one more draw in one part of a run does not change every other part.
    /// </summary>
    public SimulationRandom Fork(ulong stream) => new(Mix(_state ^ Mix(stream + 0x51ED270B)));
}
