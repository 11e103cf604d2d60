using System.Runtime.InteropServices;
using Polyjuice.Contracts;
using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Network;
using Polyjuice.Simulation.Specification;
using Polyjuice.Wire;

namespace Polyjuice.Simulation.Clusters;

/// <summary>
/// Listens to everything that engines say to each other: no two ever say different outcomes of one transaction.
/// "Unknown" is no outcome: it means aborted only to one whose acknowledgement was needed (V6).
/// </summary>
/// <param name="proofs">Hears it too.</param>
internal sealed class AgreementMonitor(ProofMonitor? proofs)
{
    private readonly Dictionary<TransactionId, bool> _outcomes = [];

    /// <summary>Hears a batch, and says which kinds of messages are in it: a bit for each.</summary>
    public ulong Hear(ReadOnlySpan<byte> batch) => Read(batch, listens: true);

    public ulong KindsOf(ReadOnlySpan<byte> batch) => Read(batch, listens: false);

    private ulong Read(ReadOnlySpan<byte> batch, bool listens)
    {
        var kinds = 0UL;
        var messages = CollectionsMarshal.AsSpan(WireTap.Read(batch).Messages);
        for (var i = 0; i < messages.Length; i++)
        {
            kinds |= 1UL << (int)messages[i].Kind;
            if (!listens) continue;
            Hear(messages[i]);
            proofs?.Said(messages[i], messages[(i + 1)..]);
        }

        return kinds;
    }

    private void Hear(in Message message)
    {
        if (ToldOutcome.Of(message) is not { IsUnknown: false } told) return;
        var committed = told.IsCommitted;
        if (_outcomes.TryAdd(message.Transaction, committed) || _outcomes[message.Transaction] == committed) return;
        throw new SimulationFailedException(
            "disagreement",
            $"{message.Transaction} is {(committed ? "committed" : "aborted")} says partition {message.FromPartition}; "
            + "the opposite was said before");
    }
}
