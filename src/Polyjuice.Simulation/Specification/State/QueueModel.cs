using Polyjuice.Contracts;

namespace Polyjuice.Simulation.Specification.State;

/// <summary>Those who have reserved a participant, or wait to, in the order in which they came (Q1).</summary>
internal sealed class QueueModel
{
    /// <summary>All of them.</summary>
    public List<ReservationModel> Requests { get; } = [];

    /// <summary>How often somebody came, or gave way.</summary>
    public int Arrivals { get; set; }

    /// <summary>One of them: an attempt has one that is shared, one that is exclusive, or both.</summary>
    public ReservationModel? Find(TransactionId id, bool isExclusive)
    {
        foreach (var request in Requests)
        {
            if (request.Id == id && request.IsExclusive == isExclusive) return request;
        }

        return null;
    }

    /// <summary>For people.</summary>
    public override string ToString() => string.Join(" < ", Requests);
}
