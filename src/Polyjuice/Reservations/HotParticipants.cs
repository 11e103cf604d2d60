using Polyjuice.Contracts;
using Polyjuice.Versions;
using Polyjuice.Wire;

namespace Polyjuice.Reservations;

/// <summary>
/// Which participants were hot lately, at this node and, as they say, at others: those that a transaction with a
/// declared access set reserves where the table leaves it to the silo. Kept only while a table does. All of it is for
/// speed: what is not known here, or is over, is reserved in vain or not at all. Turn only.
/// </summary>
/// <remarks>
/// Why not all that is declared: at a participant where hardly anybody meets anybody, a reservation is a message and a
/// place in an order for nothing. Of MultiTransfer over 10,000 accounts at θ 0.99, some thirty are worth it.
/// </remarks>
internal sealed class HotParticipants(EngineContext context, Mail mail, Func<ReservationOrder> inOrder)
{
    /// <summary>
    /// Bound on those of this node; and a multiple of it on what others say. What comes when it is reached is left out.
    /// </summary>
    public const int Max = 256;

    /// <summary>
    /// A participant that nobody has accessed, or told of, for so long is not hot any more, in microseconds. Only those
    /// count in which something is unfinished at this node: a load that comes in bursts finds what it left.
    /// </summary>
    public const long Lasting = 500_000;

    /// <summary>Others are told this often while there are any here, in microseconds.</summary>
    public const long Interval = 20_000;

    private const int NodesMax = 16;

    private readonly Dictionary<ParticipantKey, Participant> _here = [];

    // Each with when it was last told of.
    private readonly Dictionary<ParticipantKey, long> _elsewhere = [];
    private long _toldAt;

    // Microseconds in which there was anything to do, up to the latest tick; and when that was, on the host's clock.
    private long _now;
    private long _tickedAt;

    /// <summary>Whether there are any; those that have cooled down may be among them for a while.</summary>
    public bool Any => _here.Count + _elsewhere.Count > 0;

    /// <summary>Whether a participant is hot, as far as this node knows.</summary>
    public bool Contains(ParticipantKey key) =>
        _here.ContainsKey(key) || (_elsewhere.TryGetValue(key, out var seenAt) && _now - seenAt < Lasting);

    /// <summary>
    /// A participant of this node was accessed, or reserved, and that counted for
    /// its heat. Most often it stays what it was, and then nothing is looked up.
    /// </summary>
    public void Note(Participant participant)
    {
        if (participant.Heat.IsHot)
        {
            participant.SeenHotAt = _now;
            if (!participant.IsAmongHot && _here.Count < Max)
                participant.IsAmongHot = _here.TryAdd(participant.Key, participant);
        }
        else if (participant.IsAmongHot)
        {
            Forget(participant);
        }
    }

    /// <summary>Another node says which of its participants are hot.</summary>
    public void Heard(ReservationPlan hot)
    {
        if (_elsewhere.Count >= Max * NodesMax) _elsewhere.Clear();
        foreach (var entry in hot.Entries) _elsewhere[entry.Key] = _now;
    }

    /// <summary>Forgets what is over, and tells the owners of other partitions what is hot here.</summary>
    /// <param name="now">On the host's clock, in microseconds. While nothing is unfinished there are no ticks.</param>
    public void Tick(long now)
    {
        _now += Math.Clamp(now - _tickedAt, 0, Interval);
        _tickedAt = now;
        if (!Any || _now - _toldAt < Interval) return;
        _toldAt = _now;
        foreach (var (key, seenAt) in _elsewhere)
        {
            if (_now - seenAt >= Lasting) _elsewhere.Remove(key);
        }

        foreach (var participant in _here.Values)
        {
            if (_now - participant.SeenHotAt >= Lasting || !participant.Partition.IsActive) Forget(participant);
        }

        if (_here.Count == 0) return;
        var order = inOrder();
        var message = new HotMessage
        {
            Participants = ReservationPlan.Of(
                "",
                [
                    .. _here.Values.Select(
                        static hot => new PlannedReservation(
                            hot.Partition.Partition, hot.Key, IsExclusive: false, Accesses: 0))
                ],
                order),
        };
        foreach (var node in order.Owners.Distinct())
        {
            if (node != context.Node && node != NodeId.None) mail.Send(node, message);
        }
    }

    private void Forget(Participant participant)
    {
        _here.Remove(participant.Key);
        participant.IsAmongHot = false;
    }
}
