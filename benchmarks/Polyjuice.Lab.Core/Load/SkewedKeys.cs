namespace Polyjuice.Lab.Load;

/// <summary>
/// The same keys under different skews: the hot ones stay the hot ones. Tables are built once each. Used on one thread.
/// </summary>
/// <param name="keys">Number of keys.</param>
/// <param name="seed">Which are hot; <see langword="null"/>: the first ones.</param>
public sealed class SkewedKeys(int keys, ulong? seed)
{
    private readonly Dictionary<double, ZipfianGenerator> _byTheta = [];

    /// <summary>The distribution for a skew.</summary>
    public ZipfianGenerator For(double theta)
    {
        if (!_byTheta.TryGetValue(theta, out var generator))
            _byTheta.Add(theta, generator = new ZipfianGenerator(keys, theta, seed));
        return generator;
    }
}
