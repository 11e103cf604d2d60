using System.Numerics;

namespace Polyjuice.Simulation.Faults;

/// <summary>
/// Counts what has gone wrong in a run, and says how much more
/// may: a failing run is shrunk by letting fewer faults happen.
/// </summary>
internal sealed class FaultLedger
{
    private static readonly FaultKinds[] AllSingle =
    [
        .. Enum.GetValues<FaultKinds>().Where(k => BitOperations.IsPow2((int)k))
    ];

    private readonly long[] _counts = new long[AllSingle.Length];

    /// <summary>The kinds, one bit each.</summary>
    public static IReadOnlyList<FaultKinds> Kinds => AllSingle;

    /// <summary>How many faults may happen in all. Default: as many as there are.</summary>
    public long Budget { get; init; } = long.MaxValue;

    /// <summary>How many have happened.</summary>
    public long Total { get; private set; }

    /// <summary>How many of one kind have happened.</summary>
    public long this[FaultKinds kind] => _counts[BitOperations.TrailingZeroCount((int)kind)];

    /// <summary>
    /// Enters one more fault; <see langword="false"/> when none is allowed any more, and it must not happen.
    /// </summary>
    /// <param name="kind">One kind.</param>
    public bool TryEnter(FaultKinds kind)
    {
        if (Total >= Budget) return false;
        Total++;
        _counts[BitOperations.TrailingZeroCount((int)kind)]++;
        return true;
    }
}
