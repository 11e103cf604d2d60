using Polyjuice.Commit;
using Polyjuice.Execution;
using Polyjuice.Policies;

namespace Polyjuice.Reconnaissance;

/// <summary>
/// What one node knows of one attempt's reservations: those here, and whether it keeps to them; or that it is no attempt, but a dry run. One object that most transactions do without.
/// </summary>
internal sealed class TransactionReservations
{
    private readonly List<ReservationRequest> _requests = [];

    /// <summary>At the agent's node: what the attempt reserves, and its next one will.</summary>
    public ReservationPlan? Plan;

    /// <summary>At the agent's node, while it reserves.</summary>
    public Reserving? Reserving;

    /// <summary>Set when this is no attempt, but a dry run.</summary>
    public DryRun? DryRun;

    /// <summary>Whether the attempt has a plan, here or elsewhere: then an access outside of it counts.</summary>
    public bool IsPlanned;

    /// <summary>Whether it has accessed what it had not reserved, or more than that.</summary>
    public bool Differs;

    /// <summary>Whether the attempt went on before all was held.</summary>
    public bool WasCutShort;

    /// <summary>The chain waits here, or is being passed on.</summary>
    public bool IsInChain;

    /// <summary>Held and waited for; for tests.</summary>
    public IReadOnlyList<ReservationRequest> Requests => _requests;

    public void Add(ReservationRequest request) => _requests.Add(request);

    /// <summary>An access is made.</summary>
    public void Note(Participant participant, AccessKind kind)
    {
        if (!IsPlanned || Differs) return;
        foreach (var request in _requests)
        {
            if (request.SiteId == Wait.ReservationSite && request.Queue == participant.Reservations && (request.IsExclusive || kind == AccessKind.Read)) return;
        }

        Differs = true;
    }

    /// <summary>The transaction is ordered at a partition, or has ended there: its accesses there are over.</summary>
    public void ReleaseAt(PartitionOwner owner) => Release(request => request.Queue.Owner == owner);

    public void ReleaseAll() => Release(static _ => true);

    /// <summary>Waits for nothing any longer; what is held stays held.</summary>
    public void StopWaiting() => Release(static request => !request.IsHeld);

    private void Release(Predicate<ReservationRequest> which)
    {
        // One that leaves may doom others, and so come back here for another transaction, never for this one's held ones.
        for (var i = _requests.Count - 1; i >= 0; i--)
        {
            if (i >= _requests.Count || !which(_requests[i])) continue;
            var request = _requests[i];
            _requests.RemoveAt(i);
            request.Queue.Leave(request);
        }
    }
}
