using System.Buffers;
using Polyjuice.Commit;
using Polyjuice.Hosting;

namespace Polyjuice.Execution;

// Turns of activations that run one call at a time. The host has them; what engines tell each other of them travels by
// its calls.
internal sealed partial class TransactionEngine
{
    internal void WriteTurnWait(OutgoingCall call, IBufferWriter<byte> output)
    {
        var transaction = call.Caller.Transaction;
        var writer = new ByteWriter(Context.Names);
        writer.Byte(TokenVersion);
        Message.WriteId(writer, transaction.Id);
        writer.String(transaction.Type);
        writer.Int(transaction.FirstAttempt);
        writer.Int(transaction.Deadline);
        writer.Int(Context.Node.Value);
        writer.Int(call.Id);
        var flags = (transaction.IsParallel ? 1 : 0) | (transaction.IsReadOnly ? 2 : 0);
        writer.Byte((byte)(flags | (transaction.DryRun is not null ? 4 : 0)));
        output.Write(writer.Written);
    }

    /// <summary>Whose call waits; <see langword="null"/> if that is over.</summary>
    /// <exception cref="CodingException">It is not one of this version.</exception>
    internal LocalTransaction? ReadTurnWait(ReadOnlySpan<byte> wait)
    {
        var reader = new ByteReader(wait, Context.Names);
        if (reader.Byte() is not TokenVersion and var version)
            throw new CodingException(
                $"Waits for turns of version {version} are not understood; this engine speaks version {TokenVersion}.");
        var id = Message.ReadId(ref reader);
        var type = reader.String();
        var firstAttempt = reader.Int();
        var deadline = reader.Int();
        var call = (new NodeId(reader.Int()), reader.Int());
        var flags = reader.Byte();
        if (Context.IsStopped || Dead.Contains(id.Node) || Agents.IsAgentDone(id)) return null;
        if (id.Node == Context.Node && Transactions.Find(id) is null) return null;
        var isNew = Transactions.Find(id) is null;
        var transaction = Transactions.FindOrCreateShell(id, type);
        if (isNew)
        {
            transaction.FirstAttempt = firstAttempt;
            transaction.Deadline = deadline;
            transaction.IsReadOnly = (flags & 2) != 0;
            if ((flags & 4) != 0) transaction.Reservations = new() { DryRun = new() };
            Timers.EnsureTicking();
        }

        if ((flags & 1) != 0) Parallel.NoteParallel(transaction);

        // It may have had its turn before this came.
        return transaction.EnteredCalls?.Contains(call) == true ? null : transaction;
    }
}
