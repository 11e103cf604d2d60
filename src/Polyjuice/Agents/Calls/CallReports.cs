using System.Buffers;
using Polyjuice.Contracts;
using Polyjuice.Partitions;
using Polyjuice.Reservations;
using Polyjuice.Versions;
using Polyjuice.Wire;

namespace Polyjuice.Agents;

/// <summary>What travels up with the answers of a transaction's grain calls between silos.</summary>
internal sealed class CallReports(
    EngineContext context, OwnedPartitions partitions, TransactionTable transactions, Lifecycle lifecycle,
    ParallelTransactions parallelTransactions, Predecessors predecessors)
{
    // Bits of a byte.
    private const int IsParallel = 1;
    private const int DiffersFromPlan = 2;
    private const int HasLoaded = 4;
    private const int HasHandedOn = 8;

    private readonly ByteWriter _scratch = new(context.Names);

    public void Write(CallFrame frame, IBufferWriter<byte> output) => Write(frame.Transaction, frame.Position, output);

    /// <summary>
    /// Writes the report of a call from another node that has ended, when its answer has come there without it. A call
    /// that has not come here is refused from then on (R1c).
    /// </summary>
    /// <param name="id">The transaction.</param>
    /// <param name="caller">The node that has made the call.</param>
    /// <param name="callId"><see cref="OutgoingCall.Id"/> there.</param>
    /// <param name="output">Where to.</param>
    /// <returns>False if the call has not run here, or its transaction is over.</returns>
    public bool TryWrite(TransactionId id, NodeId caller, long callId, IBufferWriter<byte> output)
    {
        if (context.IsStopped || transactions.Find(id) is not { } transaction) return false;
        if ((transaction.EnteredCalls ??= []).Add((caller, callId))) return false;
        Write(transaction, position: 0, output);
        return true;
    }

    /// <summary>Merges a report; returns how far the callee's subtree got.</summary>
    public int Read(CallFrame frame, ReadOnlySpan<byte> report)
    {
        var transaction = frame.Transaction;
        var reader = new ByteReader(report, context.Names);
        if (reader.Byte() is not TransactionToken.Version and var version)
            throw new CodingException(
                $"Transaction reports of version {version} are not understood; "
                + $"this engine speaks version {TransactionToken.Version}.");
        context.Clock.TryAccept(reader.Int());
        var observed = reader.Int();
        var position = (int)reader.Int();
        var accessNumber = (int)reader.Int();
        var flags = reader.Byte();
        var doom = ReadDoom(ref reader, transaction.Type, out var resumeAt);
        if (frame.Generation != transaction.Generation) return position;

        // Word that it is doomed may have overtaken the answer, without the cause.
        if (doom?.LogFailure is not null
            && transaction.Doom is { Reason: AbortReason.LogUnavailable, LogFailure: null })
            transaction.Doom = doom;
        if (transaction.IsEnded) return position;
        transaction.Observed = Math.Max(transaction.Observed, observed);
        transaction.AccessNumber = Math.Max(transaction.AccessNumber, accessNumber);
        Merge(transaction, flags);
        MergeUses(ref reader, transaction);
        predecessors.Read(ref reader, transaction);
        if (transaction.DryRun is { } dry) ReadAccessSet(ref reader, dry);
        if (doom is not null && !transaction.IsDoomed)
        {
            lifecycle.Doom(transaction, doom.Reason, null, resumeAt: resumeAt);
            transaction.Doom = doom;
        }

        return position;
    }

    private void Write(LocalTransaction transaction, int position, IBufferWriter<byte> output)
    {
        var writer = _scratch;
        writer.Clear();
        ObserveOrdered(transaction);
        writer.Byte(TransactionToken.Version);
        writer.Int(context.Clock.Tick());
        writer.Int(transaction.Observed);
        writer.Int(position);
        writer.Int(transaction.AccessNumber);
        writer.Byte(FlagsOf(transaction));
        writer.Int((long)(transaction.Doom?.Reason ?? AbortReason.None));
        if (transaction.Doom is { } doom)
        {
            writer.String(doom.Grain ?? "");
            writer.String(doom.Site ?? "");

            // What stands in the way: another transaction's type, or a log that can't be written.
            writer.String(doom.LogFailure ?? doom.OtherType ?? "");
            writer.Int(transaction.ResumeAt);
        }

        Message.WriteParts(writer, ParticipantUses.Collect(transaction, context.Node));
        var visited = transaction.Visited;
        writer.UInt((ulong)(visited?.Count ?? 0));
        foreach (var node in visited ?? []) writer.Int(node.Value);
        Predecessors.Write(writer, transaction);
        transaction.DryRun?.Accesses.Write(writer);
        output.Write(writer.Written);
    }

    private static byte FlagsOf(LocalTransaction transaction) =>
        (byte)((transaction.IsParallel ? IsParallel : 0)
            | (transaction.Reservations is { Differs: true } ? DiffersFromPlan : 0)
            | (transaction.HasLoaded ? HasLoaded : 0)
            | (transaction.Reservations is { HasHandedOn: true } ? HasHandedOn : 0));

    private void Merge(LocalTransaction transaction, byte flags)
    {
        if ((flags & IsParallel) != 0) parallelTransactions.NoteParallel(transaction);
        transaction.HasLoaded |= (flags & HasLoaded) != 0;
        if (transaction.Reservations is not { } reservations) return;
        reservations.Differs |= (flags & DiffersFromPlan) != 0;
        reservations.HasHandedOn |= (flags & HasHandedOn) != 0;
    }

    /// <summary>
    /// What was not ordered yet when it was read may be by now: the agent, which waits for it no longer, must hear
    /// above what to commit.
    /// </summary>
    private static void ObserveOrdered(LocalTransaction transaction)
    {
        for (var branch = transaction.Branches; branch is not null; branch = branch.NextInTransaction)
        {
            foreach (var entry in branch.Entries)
            {
                if (entry.Read.Status == VersionStatus.Ordered)
                    transaction.Observed = Math.Max(
                        transaction.Observed,
                        entry.Write is null ? entry.Read.Wts : Math.Max(entry.Read.Wts, entry.Read.Rts));
            }
        }
    }

    /// <summary>Why the attempt can't commit, as the callee's node knows it.</summary>
    private static AbortInfo? ReadDoom(ref ByteReader reader, string type, out int resumeAt)
    {
        resumeAt = -1;
        var reason = (AbortReason)reader.Int();
        if (reason == AbortReason.None) return null;
        var (grain, site, obstacle) = (
            NullIfEmpty(reader.String()), NullIfEmpty(reader.String()), NullIfEmpty(reader.String()));
        resumeAt = (int)reader.Int();
        return reason == AbortReason.LogUnavailable
            ? new AbortInfo(reason, type, grain, site) { LogFailure = obstacle }
            : new AbortInfo(reason, type, grain, site, obstacle);
    }

    /// <summary>What the callee's subtree has accessed, and the nodes that it has called.</summary>
    private void MergeUses(ref ByteReader reader, LocalTransaction transaction)
    {
        foreach (var use in Message.ReadParts(ref reader))
        {
            if (use.Node == context.Node) continue;
            transaction.Visit(use.Node);
            partitions.NoteEpoch(use.Partition, use.Epoch);
            if (!transaction.MergeUse(use) && context.Breaks != ProtocolBreaks.PrepEpoch)
                lifecycle.Doom(transaction, AbortReason.OwnerChanged, null);
        }

        for (var n = reader.Count(); n > 0; n--)
        {
            var node = new NodeId(reader.Int());
            if (node != context.Node) transaction.Visit(node);
        }
    }

    /// <summary>What the callee's node knows of a dry run's accesses. This node knows its own better.</summary>
    private void ReadAccessSet(ref ByteReader reader, DryRun dry)
    {
        foreach (var entry in AccessSet.Read(ref reader))
        {
            if (entry.Node != context.Node) dry.Accesses.Merge(entry);
        }
    }

    private static string? NullIfEmpty(string text) => text.Length == 0 ? null : text;
}
