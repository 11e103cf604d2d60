using Polyjuice.Contracts;
using Polyjuice.Simulation.Specification.Events;
using Polyjuice.Simulation.Specification.State;

namespace Polyjuice.Simulation.Specification.Rules;

/// <summary>
/// Opacity: an exception of user code reaches the caller when the reads behind it are ordered, and what they depend on
/// has committed. A snapshot needs no proof.
/// </summary>
internal static class Opacity
{
    /// <summary>All participants have voted for the reads.</summary>
    public static void Check(SpecificationState state, TransactionModel transaction, in CallerTold e)
    {
        if (e.Abort != AbortReason.UserException || e.IsReadOnly || !transaction.HasAccessed) return;
        if (transaction.Prepares.Count == 0)
            throw Rejected.By(
                "opacity",
                e.ToString(),
                "the exception may follow from what was never true: nothing of what was read has been ordered");
        V1Votes.CheckReads(transaction, e);
        V5Resolution.CheckReads(state, transaction, e);
    }
}
