namespace Polyjuice.Embedded.Core;

/// <summary>Random numbers of good enough quality from 64 bits of state (Steele, Lea, Flood: "Fast splittable pseudorandom number generators").</summary>
internal sealed class SplitMix(ulong seed)
{
    private ulong _state = seed;

    public ulong Next()
    {
        var z = _state += 0x9E3779B97F4A7C15UL;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9UL;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBUL;
        return z ^ (z >> 31);
    }
}
