using Polyjuice.Commit;
using Polyjuice.Execution;
using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Grains;
using Polyjuice.Simulation.Network;
using Polyjuice.Simulation.Runs;

namespace Polyjuice.Simulation.Clusters;

/// <summary>
/// Listens to everything that engines say to each other: no two ever say different outcomes of one transaction. "Unknown" is no
/// outcome: it means aborted only to one whose acknowledgement was needed (V6).
/// </summary>
internal sealed class AgreementMonitor
{
    private readonly Dictionary<TransactionId, bool> _outcomes = [];

    public void Hear(byte[] batch)
    {
        foreach (var message in WireTap.Read(batch).Messages)
        {
            if (message.Kind is not (MessageKind.Outcome or MessageKind.AgentOutcome) || message.Has(MessageFlags.Unknown)) continue;
            var committed = message.Has(MessageFlags.Committed);
            if (_outcomes.TryAdd(message.Transaction, committed) || _outcomes[message.Transaction] == committed) continue;
            throw new SimulationFailedException(
                "disagreement", $"{message.Transaction} is {(committed ? "committed" : "aborted")} says partition {message.FromPartition}; the opposite was said before");
        }
    }
}
