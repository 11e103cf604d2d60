using Polyjuice.Lab.Load;

namespace Polyjuice.Lab.Experiments.Recon;

/// <summary>
/// Transfers of all skews. Each round has hot records of its own, the same for all that is compared in it: which silo
/// holds the hottest three decides how much of the load one silo has to bear, and how far apart the holders of locks
/// are, so that one choice of them alone would say little about any other. Used by one arm at a time.
/// </summary>
/// <param name="records">Records to choose from.</param>
/// <param name="seed">Of all rounds' choices of what is hot.</param>
internal sealed class SkewedTransfers(int records, ulong seed)
{
    private readonly Dictionary<int, SkewedKeys> _byRound = [];

    /// <summary>Those of one round.</summary>
    public SkewedTransfer Of(int round, double theta)
    {
        if (!_byRound.TryGetValue(round, out var keys))
            _byRound.Add(round, keys = new SkewedKeys(records, BenchmarkRandom.Derive(seed, (ulong)round)));
        return new SkewedTransfer(keys.For(theta));
    }
}
