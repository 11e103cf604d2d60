namespace Polyjuice.Policies;

/// <summary>Which version an access reads.</summary>
public enum ReadVersion : byte
{
    /// <summary>The latest sealed one.</summary>
    Clean,

    /// <summary>The latest ordered or exposed one.</summary>
    Dirty,
}

/// <summary>Whether an access exposes what its transaction has buffered.</summary>
public enum WriteVisibility : byte
{
    /// <summary>It stays in the transaction's buffer.</summary>
    Private,

    /// <summary>Everything buffered so far is exposed after the access.</summary>
    Public,
}

/// <summary>The cells of one row of a policy document. The default is what OCC does everywhere. See the paper, §4.3.</summary>
public sealed record PolicyCells
{
    /// <summary>Waits for nobody, reads clean, writes in private, validates at the end only.</summary>
    public static readonly PolicyCells Plain = new();

    /// <summary>Which version to read.</summary>
    public ReadVersion Read { get; init; }

    /// <summary>Whether to expose what was written so far.</summary>
    public WriteVisibility Write { get; init; }

    /// <summary>Whether to validate after the access everything since the last validated point.</summary>
    public bool EarlyValidation { get; init; }

    /// <summary>Whether to wait first for the running transactions that already accessed the state in conflict.</summary>
    public bool WaitForHolders { get; init; }

    /// <summary>What to wait for at the dependencies.</summary>
    public PolicyWaits Waits { get; init; } = PolicyWaits.None;

    /// <summary>Voids <see cref="Waits"/> without forgetting them: the artifact's wait-enable bit is 0.</summary>
    public bool WaitsOff { get; init; }

    /// <summary>What an access does instead while its participant is hot; <see langword="null"/>: the same. Its own is void.</summary>
    public PolicyCells? Heat { get; init; }

    /// <summary>The waits in force: <see cref="Waits"/>, unless they are void.</summary>
    public PolicyWaits EffectiveWaits => WaitsOff ? PolicyWaits.None : Waits;

    /// <summary>The actions as a compiled row has them, waits aside.</summary>
    internal PolicyActions Actions =>
        (Read == ReadVersion.Dirty ? PolicyActions.ReadDirty : 0)
        | (Write == WriteVisibility.Public ? PolicyActions.WritePublic : 0)
        | (EarlyValidation ? PolicyActions.EarlyValidation : 0)
        | (WaitForHolders ? PolicyActions.WaitForHolders : 0);
}
