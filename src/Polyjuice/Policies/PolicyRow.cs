namespace Polyjuice.Policies;

/// <summary>
/// The actions of one row, as an access consults them: everything but the waits, which are in the table.
/// </summary>
[Flags]
internal enum PolicyActions : byte
{
    /// <summary>Wait for nobody, read clean, keep writes private, do not validate early.</summary>
    None = 0,

    /// <summary>Some wait cell of the row is not "do not wait".</summary>
    HasWaits = 1,

    /// <summary>
    /// Before the access, wait until the running transactions that
    /// already accessed the state in conflict are sealed or aborted.
    /// </summary>
    WaitForHolders = 2,

    /// <summary>Read the latest ordered or exposed version rather than the latest sealed one.</summary>
    ReadDirty = 4,

    /// <summary>After the access, expose everything buffered so far.</summary>
    WritePublic = 8,

    /// <summary>After the access, validate everything since the last validated point.</summary>
    EarlyValidation = 16,

    /// <summary>Where it would wait for an older holder, it aborts instead (wait-die).</summary>
    Die = 32,

    /// <summary>
    /// Younger holders that are not being ordered yet are aborted rather than waited for (wound-wait).
    /// </summary>
    Wound = 64,

    /// <summary>The wait for holders is for those types only whose wait cell says "until sealed".</summary>
    HoldersByType = 128,
}

/// <summary>A compiled row.</summary>
/// <param name="Actions">What to do.</param>
/// <param name="WaitOffset">Where the row's wait cells start in the table.</param>
internal readonly record struct PolicyRow(PolicyActions Actions, int WaitOffset)
{
    /// <summary>The same, but that what is written stays private until its transaction is ordered.</summary>
    public PolicyRow KeepingWrites => this with { Actions = Actions & ~PolicyActions.WritePublic };
}
