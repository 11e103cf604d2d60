namespace Polyjuice.Policies;

/// <summary>Which version an access reads.</summary>
internal enum ReadVersion : byte
{
    /// <summary>The latest sealed one.</summary>
    Clean,

    /// <summary>The latest ordered or exposed one.</summary>
    Dirty,
}

/// <summary>Whether an access exposes what its transaction has buffered.</summary>
internal enum WriteVisibility : byte
{
    /// <summary>It stays in the transaction's buffer.</summary>
    Private,

    /// <summary>Everything buffered so far is exposed after the access.</summary>
    Public,
}

/// <summary>
/// How it is decided who goes on when an access that waits for holders finds one. Age is counted from a transaction's
/// first attempt, so who keeps losing grows old and wins.
/// </summary>
internal enum HolderConflict : byte
{
    /// <summary>The one that comes waits; of those in a cycle the youngest aborts.</summary>
    Wait,

    /// <summary>The one that comes waits if it is older, and aborts at once if it is younger (wait-die).</summary>
    Die,

    /// <summary>
    /// The one that comes waits if it is younger; if it is older, it aborts
    /// the holder, unless that is being ordered already (wound-wait).
    /// </summary>
    Wound,
}

/// <summary>
/// The cells of one row of a policy document. The default is what OCC does everywhere. See the paper, §4.3.
/// </summary>
internal sealed record PolicyCells
{
    /// <summary>Waits for nobody, reads clean, writes in private, validates at the end only.</summary>
    public static readonly PolicyCells Plain = new();

    /// <summary>Which version to read.</summary>
    public ReadVersion Read { get; init; }

    /// <summary>Whether to expose what was written so far.</summary>
    public WriteVisibility Write { get; init; }

    /// <summary>Whether to validate after the access everything since the last validated point.</summary>
    public bool EarlyValidation { get; init; }

    /// <summary>
    /// Whether to wait first for the running transactions that already accessed the state in conflict.
    /// </summary>
    public bool WaitForHolders { get; init; }

    /// <summary>
    /// Whether <see cref="WaitForHolders"/> concerns only holders of those types whose cell in <see cref="Waits"/> says
    /// "sealed". Without it, or without that, no effect.
    /// </summary>
    public bool HoldersByType { get; init; }

    /// <summary>What becomes of a conflict with a holder. Without <see cref="WaitForHolders"/> no effect.</summary>
    public HolderConflict Conflict { get; init; }

    /// <summary>What to wait for at the dependencies.</summary>
    public PolicyWaits Waits { get; init; } = PolicyWaits.None;

    /// <summary>Voids <see cref="Waits"/> without forgetting them: the artifact's wait-enable bit is 0.</summary>
    public bool WaitsOff { get; init; }

    /// <summary>
    /// What an access does instead while its participant is hot; <see langword="null"/>: the same. Its own is void.
    /// </summary>
    public PolicyCells? Heat { get; init; }

    /// <summary>The waits in force: <see cref="Waits"/>, unless they are void.</summary>
    public PolicyWaits EffectiveWaits => WaitsOff ? PolicyWaits.None : Waits;

    /// <summary>The actions as a compiled row has them, waits aside.</summary>
    internal PolicyActions Actions =>
        (Read == ReadVersion.Dirty ? PolicyActions.ReadDirty : 0)
        | (Write == WriteVisibility.Public ? PolicyActions.WritePublic : 0)
        | (EarlyValidation ? PolicyActions.EarlyValidation : 0)
        | (WaitForHolders ? PolicyActions.WaitForHolders : 0)
        | (WaitForHolders && HoldersByType ? PolicyActions.HoldersByType : 0)
        | (WaitForHolders && Conflict == HolderConflict.Die ? PolicyActions.Die : 0)
        | (WaitForHolders && Conflict == HolderConflict.Wound ? PolicyActions.Wound : 0);
}
