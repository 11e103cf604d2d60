namespace Polyjuice.Versions;

/// <summary>
/// Whether a participant is hot: whether many of the accesses to it lately met another transaction that had accessed it
/// in conflict and was not through. An exponentially weighted share, with a threshold to become hot and a lower one to
/// cool down, so that it does not go to and fro. Constant cost, no memory beyond itself. For tables that say something
/// else for hot participants (after CormCC, which chooses a protocol for each partition of the data; here a participant
/// is one).
/// </summary>
internal struct Heat
{
    /// <summary>The weight of an access is 1 / 2^this.</summary>
    private const int Decay = 5;

    private const int One = 1 << 15;

    /// <summary>From this share of conflicts on it is hot; a quarter.</summary>
    private const int HotFrom = One / 4;

    /// <summary>Below this share it is not any longer; a tenth.</summary>
    private const int ColdBelow = One / 10;

    private ushort _share;

    /// <summary>Whether it is hot.</summary>
    public bool IsHot { get; private set; }

    /// <summary>The share of conflicts, 0 to 1.</summary>
    public readonly double Share => (double)_share / One;

    /// <summary>A transaction is about to access the participant.</summary>
    /// <param name="isConflict">Another one was there, in conflict.</param>
    public void Accessed(bool isConflict)
    {
        var change = ((isConflict ? One : 0) - _share) / (double)(1 << Decay);
        _share = (ushort)(_share + (int)(change < 0 ? Math.Floor(change) : Math.Ceiling(change)));
        IsHot = _share >= (IsHot ? ColdBelow : HotFrom);
    }
}
