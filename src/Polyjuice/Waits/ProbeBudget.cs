namespace Polyjuice.Waits;

/// <summary>
/// How many probes a node sends. Where hundreds wait and each of them leads out of the node, those that pass one
/// another are as many as there are pairs, and a node that does nothing but pass them on lets nobody get on, so that
/// all wait for longer: it never comes out of that by itself. So new ones wait while there is a debt; those on their
/// way are passed on in any case, because one that is not has been sent for nothing.
/// </summary>
/// <remarks>
/// A leaky bucket, kept as the time when it will be empty: the generic cell
/// rate algorithm (ITU-T I.371). Not thread-safe: on the engine's turn.
/// </remarks>
internal struct ProbeBudget
{
    /// <summary>
    /// What a probe counts for, in microseconds: 50 a millisecond. To send and to receive one takes two or three, so a
    /// tenth or so of a processor's time goes there at the most.
    /// </summary>
    public const long ProbeMicroseconds = 20;

    /// <summary>What may be sent at once after a pause, in microseconds: 100 probes.</summary>
    public const long SavedMax = 2_000;

    /// <summary>
    /// What is owed at the most, in microseconds: others' probes alone never keep a node from sending its own.
    /// </summary>
    public const long OwedMax = 5_000;

    private long _paidAt;

    /// <summary>
    /// From when on a new probe may be sent. A clock that was set
    /// back keeps none waiting for longer than <see cref="OwedMax"/>.
    /// </summary>
    public readonly long FreeAt(long now) => Math.Min(_paidAt, now + OwedMax);

    /// <summary>A probe is sent. All times are those of the host's clock, in microseconds.</summary>
    public void Spend(long now) =>
        _paidAt = Math.Min(Math.Max(_paidAt, now - SavedMax) + ProbeMicroseconds, now + OwedMax);
}
