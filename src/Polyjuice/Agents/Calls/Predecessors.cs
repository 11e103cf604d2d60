using Polyjuice.Partitions;
using Polyjuice.Versions;
using Polyjuice.Wire;

namespace Polyjuice.Agents;

/// <summary>
/// Carries the transactions that must come before one along with its calls and answers, for the policy's waits.
/// </summary>
internal sealed class Predecessors(EngineContext context, KnownAgents agents, TransactionTable transactions)
{
    public static void Write(ByteWriter writer, LocalTransaction transaction)
    {
        if (transaction.Predecessors is not { } predecessors)
        {
            writer.UInt(0);
            return;
        }

        predecessors.RemoveAll(static other => other.IsSealed || other.IsEnded);
        writer.UInt((ulong)predecessors.Count);
        foreach (var other in predecessors)
        {
            Message.WriteId(writer, other.Id);
            writer.String(other.Type);
            writer.Int(other.FirstAttempt);
            writer.Int(other.Progress);
        }
    }

    public void Read(ref ByteReader reader, LocalTransaction transaction)
    {
        for (var n = reader.Count(); n > 0; n--)
        {
            var id = Message.ReadId(ref reader);
            var type = reader.String();
            var firstAttempt = reader.Int();
            var progress = (int)reader.Int();
            if (id == transaction.Id || agents.IsAgentDone(id) || (id.Node == context.Node && !transactions.Knows(id)))
                continue;
            var isNew = !transactions.Knows(id);
            var other = transactions.FindOrCreateShell(id, type);
            if (isNew) other.FirstAttempt = firstAttempt;
            other.Progress = Math.Max(other.Progress, progress);
            transaction.AddPredecessor(other);
        }
    }
}
