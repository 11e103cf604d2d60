namespace Polyjuice.Contracts;

/// <summary>What is known about an aborted (or in-doubt) attempt. Immutable.</summary>
/// <param name="Reason">Why.</param>
/// <param name="TransactionType">The type of the transaction that aborted.</param>
/// <param name="Grain">
/// The grain at which it was found out, or <see langword="null"/> when no grain is to blame.
/// </param>
/// <param name="Site">The access site at which it was found out, or <see langword="null"/>.</param>
/// <param name="OtherType">The type of the other transaction in the conflict, when known.</param>
/// <param name="Attempts">How many attempts were made, this one included; at least 1.</param>
internal sealed record AbortInfo(
    AbortReason Reason,
    string TransactionType,
    string? Grain = null,
    string? Site = null,
    string? OtherType = null,
    int Attempts = 1)
{
    /// <summary>
    /// Which log can't be written, and what its device said, when that is to blame and known; otherwise
    /// <see langword="null"/>, and what the silo that owns the partition logs says it.
    /// </summary>
    public string? LogFailure { get; init; }

    /// <summary>Whether the same call may succeed when it is simply made again.</summary>
    public bool IsRetriable =>
        Reason is not (AbortReason.None or AbortReason.UserException or AbortReason.ReadOnlyViolation
            or AbortReason.OrphanCall or AbortReason.Timeout or AbortReason.Cancelled or AbortReason.Shutdown
            or AbortReason.InDoubt
            or AbortReason.CommitRefused);

    /// <summary>Whether the outcome is unknown, rather than aborted.</summary>
    public bool IsInDoubt => Reason == AbortReason.InDoubt;

    /// <summary>A sentence for people.</summary>
    public string Describe()
    {
        var text = IsInDoubt
            ? $"The outcome of transaction {TransactionType} is in doubt: its manager did not answer; it may "
                + "have committed"
            : $"Transaction {TransactionType} aborted: {Reason}";
        if (Grain is not null) text += $" at {Grain}";
        if (Site is not null) text += $", site {Site}";
        if (OtherType is not null) text += $", in conflict with {OtherType}";
        if (LogFailure is not null)
            text += $"{(IsInDoubt ? "; meanwhile" : ", because")} a log can't be written: {LogFailure.TrimEnd('.')}";
        else if (Reason == AbortReason.LogUnavailable)
            text += ", because a log can't be written at present; the silo that writes it logs why";
        if (Reason == AbortReason.AttemptEnded)
            text += ", because its attempt had ended when this access came: a method must await all that it begins";
        return text + (Attempts > 1 ? $" (after {Attempts} attempts)." : ".");
    }
}
