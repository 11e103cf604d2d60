namespace Polyjuice.Execution;

/// <summary>An attempt that may not start yet.</summary>
/// <param name="typeId">Its transaction's type.</param>
/// <param name="deadline">When the transaction's time is up, in microseconds on the host's clock.</param>
/// <param name="cancellation">The caller's.</param>
internal sealed class WaitingAttempt(int typeId, long deadline, CancellationToken cancellation) : TurnAwaitable
{
    public int TypeId => typeId;

    /// <summary>Completes when it may start, or will not: <see cref="Refusal"/> says which.</summary>
    public ValueTask Over => End;

    /// <summary>Why it may not start any more; <see cref="AbortReason.None"/> when it may.</summary>
    public AbortReason Refusal { get; private set; }

    public bool IsOver { get; private set; }

    protected override bool HasEnded => IsOver;

    /// <summary>Why it can't wait longer; <see cref="AbortReason.None"/> while it can.</summary>
    public AbortReason RefusalAt(long now) => cancellation.IsCancellationRequested ? AbortReason.Cancelled : now >= deadline ? AbortReason.Timeout : AbortReason.None;

    public void EndWith(AbortReason refusal)
    {
        IsOver = true;
        Refusal = refusal;
        Ended();
    }
}
