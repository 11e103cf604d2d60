using System.Buffers;
using Polyjuice.Contracts;
using Polyjuice.Partitions;
using Polyjuice.Reservations;
using Polyjuice.Versions;
using Polyjuice.Wire;

namespace Polyjuice.Agents;

/// <summary>
/// Calls that wait for the turn of an activation that runs one call at a time. The host has the turns; what engines
/// tell each other of who waits for one travels by its calls.
/// </summary>
internal sealed class TurnWaits(
    EngineContext context, DeadNodes dead, KnownAgents agents, Timers timers, TransactionTable transactions,
    ParallelTransactions parallelTransactions)
{
    // Bits of a byte.
    private const int IsParallel = 1;
    private const int IsReadOnly = 2;
    private const int IsDry = 4;

    public void Write(OutgoingCall call, IBufferWriter<byte> output)
    {
        var transaction = call.Caller.Transaction;
        var writer = new ByteWriter(context.Names);
        writer.Byte(TransactionToken.Version);
        Message.WriteId(writer, transaction.Id);
        writer.String(transaction.Type);
        writer.Int(transaction.FirstAttempt);
        writer.Int(transaction.Deadline);
        writer.Int(context.Node.Value);
        writer.Int(call.Id);
        var flags = (transaction.IsParallel ? IsParallel : 0) | (transaction.IsReadOnly ? IsReadOnly : 0);
        writer.Byte((byte)(flags | (transaction.DryRun is not null ? IsDry : 0)));
        output.Write(writer.Written);
    }

    /// <summary>Whose call waits; <see langword="null"/> if that is over.</summary>
    /// <exception cref="CodingException">It is not one of this version.</exception>
    public LocalTransaction? Read(ReadOnlySpan<byte> wait)
    {
        var reader = new ByteReader(wait, context.Names);
        if (reader.Byte() is not TransactionToken.Version and var version)
            throw new CodingException(
                $"Waits for turns of version {version} are not understood; "
                + $"this engine speaks version {TransactionToken.Version}.");
        var id = Message.ReadId(ref reader);
        var type = reader.String();
        var firstAttempt = reader.Int();
        var deadline = reader.Int();
        var call = (new NodeId(reader.Int()), reader.Int());
        var flags = reader.Byte();
        if (context.IsStopped || dead.Contains(id.Node) || agents.IsAgentDone(id)) return null;
        if (id.Node == context.Node && transactions.Find(id) is null) return null;
        var isNew = transactions.Find(id) is null;
        var transaction = transactions.FindOrCreateShell(id, type);
        if (isNew)
        {
            transaction.FirstAttempt = firstAttempt;
            transaction.Deadline = deadline;
            transaction.IsReadOnly = (flags & IsReadOnly) != 0;
            if ((flags & IsDry) != 0) transaction.Reservations = new() { DryRun = new() };
            timers.EnsureTicking();
        }

        if ((flags & IsParallel) != 0) parallelTransactions.NoteParallel(transaction);

        // It may have had its turn before this came.
        return transaction.EnteredCalls?.Contains(call) == true ? null : transaction;
    }
}
