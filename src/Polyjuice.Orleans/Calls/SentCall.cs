using Orleans;

namespace Polyjuice.Orleans.Calls;

/// <summary>
/// A call that must not run twice, as its message takes it along (<see cref="TransactionCall.Sent"/>): its number, and
/// whether the message has been written before. A client of Orleans writes a message again whose connection breaks
/// while it is being written, maybe to another silo, and both copies may arrive. The silo that has the first one knows
/// the second by its number (<see cref="ReceivedCalls"/>); any other silo knows it by <see cref="IsCopy"/>.
/// Thread-safe.
/// </summary>
[GenerateSerializer, Immutable, Alias("Polyjuice.SentCall")]
internal sealed class SentCall
{
    /// <summary>Its name in the request context (<see cref="CallForms"/>).</summary>
    public const string Name = "#polyjuice.call";

    [NonSerialized]
    private bool _isCopy;

    [NonSerialized]
    private int _writes;

    /// <summary>For the serialiser.</summary>
    public SentCall()
    {
    }

    /// <summary>Makes one that has not been written.</summary>
    /// <param name="number">The call's number (<see cref="CallNumber"/>).</param>
    public SentCall(Guid number) => Number = number;

    /// <summary>The call's number.</summary>
    [Id(0)]
    public Guid Number { get; set; }

    /// <summary>
    /// For the serialiser, which asks each time that it writes the message: whether it has done so before.
    /// </summary>
    [Id(1)]
    public bool Written
    {
        get => Interlocked.Increment(ref _writes) > 1 || _isCopy;
        set => _isCopy = value;
    }

    /// <summary>
    /// Whether a copy was written before this one, so that the call may have run where that one went.
    /// </summary>
    public bool IsCopy => _isCopy;

    /// <summary>
    /// Whether the call may have run although it has failed in a way that says that it has not: what has failed may be
    /// the second copy alone.
    /// </summary>
    /// <param name="failure">How it has failed.</param>
    public bool MayHaveRun(Exception failure) =>
        CallFailures.HasNotRun(failure)
        && (_isCopy || (Volatile.Read(ref _writes) > 0 && CallFailures.IsOfOwnConnection(failure)));

    /// <summary>The same call, to be made again after it has failed: another copy of it may still arrive.</summary>
    /// <param name="failure">How it has failed.</param>
    public SentCall Again(Exception failure) => new(Number) { _isCopy = _isCopy || MayHaveRun(failure) };
}
