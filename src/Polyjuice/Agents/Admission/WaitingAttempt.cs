using Polyjuice.Contracts;
using Polyjuice.Versions;

namespace Polyjuice.Agents;

/// <summary>An attempt that may not start yet.</summary>
/// <param name="typeId">Its transaction's type.</param>
/// <param name="deadline">When the transaction's time is up, in microseconds on the host's clock.</param>
/// <param name="cancellation">The caller's.</param>
internal sealed class WaitingAttempt(int typeId, long deadline, CancellationToken cancellation)
    : TurnAwaitable, IHasDuePlace
{
    private DuePlace _due;

    public int TypeId => typeId;

    /// <summary>Completes when it may start, or will not: <see cref="Refusal"/> says which.</summary>
    public ValueTask Over => End;

    /// <summary>Why it may not start any more; <see cref="AbortReason.None"/> when it may.</summary>
    public AbortReason Refusal { get; private set; }

    public bool IsOver { get; private set; }

    protected override bool HasEnded => IsOver;

    /// <summary>When its transaction's time is up, in microseconds on the host's clock.</summary>
    public long Deadline => deadline;

    /// <summary>The caller's.</summary>
    public CancellationToken Cancellation => cancellation;

    /// <inheritdoc/>
    public ref DuePlace Due => ref _due;

    public void EndWith(AbortReason refusal)
    {
        IsOver = true;
        Refusal = refusal;
        Ended();
    }
}
