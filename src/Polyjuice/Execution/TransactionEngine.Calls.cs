using System.Buffers;
using Polyjuice.Commit;
using Polyjuice.Diagnostics;
using Polyjuice.Diagnostics.Spans;
using Polyjuice.Hosting;

namespace Polyjuice.Execution;

// What travels with a transaction's grain calls between silos: the token down, the report up.
internal sealed partial class TransactionEngine
{
    private const byte TokenVersion = 2;

    private readonly ByteWriter _scratch;
    private long _callSequence;

    internal void WriteToken(OutgoingCall call, NodeId destination, IBufferWriter<byte> output)
    {
        var frame = call.Caller;
        var transaction = frame.Transaction;
        call.Id = ++_callSequence;
        call.Destination = destination;
        (transaction.RemoteCalls ??= []).Add(call);
        Visit(transaction, destination);

        // Nothing, and no byte in the token, unless somebody keeps a trace of the attempt.
        var trace = SpanSource.IsOn ? Spans.ContextOf(transaction) : default;
        var writer = _scratch;
        writer.Clear();
        writer.Byte(TokenVersion);
        writer.Int(Context.Clock.Tick());
        writer.Int(Live.OldestLive);
        Message.WriteId(writer, transaction.Id);
        writer.Bytes(frame.Path.Key);
        writer.Int(call.Id);
        writer.Int(transaction.FirstAttempt);
        writer.Int(transaction.Start);
        writer.Int(transaction.Observed);
        writer.Int(transaction.Deadline);
        writer.Byte((byte)((transaction.IsReadOnly ? 1 : 0) | (transaction.IsParallel ? 2 : 0) | (transaction.Record is not null ? 4 : 0) | (transaction.DryRun is not null ? 8 : 0)
            | (transaction.Reservations is { KeepsToPlan: true } ? 16 : 0) | (transaction.Reservations is { KeepsToPlan: true, IsPartial: true } ? 32 : 0) | (transaction.KeepsWrites ? 64 : 0)
            | (trace != default ? 128 : 0)));
        writer.Int(call.Position);
        writer.Int(transaction.AccessNumber);
        writer.Int(transaction.Generation);
        writer.Int(transaction.ReplayUpTo);
        WritePredecessors(writer, transaction);

        // Last, where engines that do not know of it read no further.
        if (trace != default) SpanContext.Write(writer, trace);
        output.Write(writer.Written);
    }

    /// <summary>A grain call of a transaction arrives from another silo: the frame that its body runs in.</summary>
    /// <param name="caller">The silo it came from.</param>
    /// <param name="token">What <see cref="OutgoingCall.WriteToken"/> wrote there.</param>
    /// <param name="method">The called method.</param>
    /// <returns><see langword="null"/> for a call that must not run: a repetition (R1c), or one of a transaction that is over. The host drops it.</returns>
    /// <exception cref="CodingException">The token is not one of this version.</exception>
    public CallFrame? EnterRemoteCall(NodeId caller, ReadOnlySpan<byte> token, GrainMethod method)
    {
        if (Context.IsStopped) return null;
        var reader = new ByteReader(token, Context.Names);
        if (reader.Byte() is not TokenVersion and var version) throw new CodingException($"Transaction tokens of version {version} are not understood; this engine speaks version {TokenVersion}.");
        var clock = reader.Int();
        var oldestLive = reader.Int();
        var id = Message.ReadId(ref reader);
        var parent = Paths.Find(reader.Bytes());
        var callId = reader.Int();
        var firstAttempt = reader.Int();
        var start = reader.Int();
        var observed = reader.Int();
        var deadline = reader.Int();
        var flags = reader.Byte();
        var position = (int)reader.Int();
        var accessNumber = (int)reader.Int();
        var generation = (int)reader.Int();
        var replayUpTo = (int)reader.Int();
        var last = Context.Clock.Last;
        if (!Context.Clock.TryAccept(clock))
        {
            Context.Log.SkewRefused(caller.Value, (clock >> HybridClock.LogicalBits) - Context.Now);
            return null;
        }

        Context.Events?.Heard(caller, clock, last, caller == id.Node ? oldestLive : 0);
        if (caller == id.Node) Agents.NoteOldestLive(caller, oldestLive);
        if (Dead.Contains(id.Node) || Agents.IsAgentDone(id)) return null;
        if (!Transactions.TryFind(id, out var transaction))
        {
            transaction = new LocalTransaction(id, parent.Type, parent.TypeId, Tables.Current)
            {
                Start = start, Deadline = deadline, IsReadOnly = (flags & 1) != 0, Record = (flags & 4) != 0 ? [] : null, Reservations = (flags & 8) != 0 ? new() { DryRun = new() } : null,
            };
            Transactions.Know(transaction);
            Timers.EnsureTicking();
        }

        // It may have been known by its name before. Without the record a resumed body would do again here what it is to be served.
        if ((flags & 4) != 0) transaction.Record ??= [];
        transaction.IsReadOnly |= (flags & 1) != 0;

        // R1c: a repeated call must not run the body twice.
        if (!(transaction.EnteredCalls ??= []).Add((caller, callId)) && Context.Breaks != ProtocolBreaks.Idem) return null;
        Context.Events?.Entered(id, caller, callId);
        transaction.FirstAttempt = firstAttempt;
        transaction.Start = start;
        transaction.Deadline = deadline;
        transaction.Observed = Math.Max(transaction.Observed, observed);
        transaction.KeepsWrites |= (flags & 64) != 0;
        if ((flags & 2) != 0) Parallel.NoteParallel(transaction);
        if ((flags & 16) != 0)
        {
            var reservations = transaction.Reservations ??= new();
            reservations.IsPlanned = true;
            reservations.IsPartial |= (flags & 32) != 0;
        }
        else if (transaction.Reservations is { } cut)
        {
            // The agent's word that it runs without them may come later, or never.
            cut.WasCutShort = true;
        }

        if (generation > transaction.Generation)
        {
            transaction.Generation = generation;
            transaction.ReplayUpTo = replayUpTo;
            if (transaction.ResumeAt >= 0)
            {
                transaction.Doom = null;
                transaction.ResumeAt = -1;
            }
        }

        transaction.AccessNumber = accessNumber;
        ReadPredecessors(ref reader, transaction);
        if ((flags & 128) != 0) Spans.Visits(transaction, SpanContext.Read(reader.Bytes()));
        return new CallFrame(this, transaction, parent.Child(method), null, new RemoteCaller(caller, callId), position);
    }

    private void WriteReport(LocalTransaction transaction, int position, IBufferWriter<byte> output)
    {
        var writer = _scratch;
        writer.Clear();
        ObserveOrdered(transaction);
        writer.Byte(TokenVersion);
        writer.Int(Context.Clock.Tick());
        writer.Int(transaction.Observed);
        writer.Int(position);
        writer.Int(transaction.AccessNumber);
        writer.Byte((byte)((transaction.IsParallel ? 1 : 0) | (transaction.Reservations is { Differs: true } ? 2 : 0) | (transaction.HasLoaded ? 4 : 0) | (transaction.Reservations is { HasHandedOn: true } ? 8 : 0)));
        writer.Int((long)(transaction.Doom?.Reason ?? AbortReason.None));
        if (transaction.Doom is { } doom)
        {
            writer.String(doom.Grain ?? "");
            writer.String(doom.Site ?? "");

            // What stands in the way: another transaction's type, or a log that can't be written.
            writer.String(doom.LogFailure ?? doom.OtherType ?? "");
            writer.Int(transaction.ResumeAt);
        }

        var parts = ParticipantUses.Collect(transaction, Context.Node);
        Message.WriteParts(writer, parts);
        var visited = transaction.Visited;
        writer.UInt((ulong)(visited?.Count ?? 0));
        foreach (var node in visited ?? []) writer.Int(node.Value);
        WritePredecessors(writer, transaction);
        transaction.DryRun?.Accesses.Write(writer);
        output.Write(writer.Written);
    }

    /// <summary>
    /// Writes the report of a call from another node that has ended, when its answer has come there without it. A call
    /// that has not come here is refused from then on (R1c).
    /// </summary>
    /// <param name="id">The transaction.</param>
    /// <param name="caller">The node that has made the call.</param>
    /// <param name="callId"><see cref="OutgoingCall.Id"/> there.</param>
    /// <param name="output">Where to.</param>
    /// <returns>False if the call has not run here, or its transaction is over.</returns>
    public bool TryWriteReport(TransactionId id, NodeId caller, long callId, IBufferWriter<byte> output)
    {
        if (Context.IsStopped || Transactions.Find(id) is not { } transaction) return false;
        if ((transaction.EnteredCalls ??= []).Add((caller, callId))) return false;
        WriteReport(transaction, position: 0, output);
        return true;
    }

    internal void WriteReport(CallFrame frame, IBufferWriter<byte> output) =>
        WriteReport(frame.Transaction, frame.Position, output);

    /// <summary>What was not ordered yet when it was read may be by now: the agent, which waits for it no longer, must hear above what to commit.</summary>
    private static void ObserveOrdered(LocalTransaction transaction)
    {
        for (var branch = transaction.Branches; branch is not null; branch = branch.NextInTransaction)
        {
            foreach (var entry in branch.Entries)
            {
                if (entry.Read.Status == VersionStatus.Ordered) transaction.Observed = Math.Max(transaction.Observed, entry.Write is null ? entry.Read.Wts : Math.Max(entry.Read.Wts, entry.Read.Rts));
            }
        }
    }

    /// <summary>Merges a report; returns how far the callee's subtree got.</summary>
    internal int ReadReport(CallFrame frame, ReadOnlySpan<byte> report)
    {
        var transaction = frame.Transaction;
        var reader = new ByteReader(report, Context.Names);
        if (reader.Byte() is not TokenVersion and var version) throw new CodingException($"Transaction reports of version {version} are not understood; this engine speaks version {TokenVersion}.");
        Context.Clock.TryAccept(reader.Int());
        var observed = reader.Int();
        var position = (int)reader.Int();
        var accessNumber = (int)reader.Int();
        var flags = reader.Byte();
        var reason = (AbortReason)reader.Int();
        AbortInfo? doom = null;
        var resumeAt = -1;
        if (reason != AbortReason.None)
        {
            var (grain, site, obstacle) = (NullIfEmpty(reader.String()), NullIfEmpty(reader.String()), NullIfEmpty(reader.String()));
            doom = reason == AbortReason.LogUnavailable
                ? new AbortInfo(reason, transaction.Type, grain, site) { LogFailure = obstacle }
                : new AbortInfo(reason, transaction.Type, grain, site, obstacle);
            resumeAt = (int)reader.Int();
        }

        if (frame.Generation != transaction.Generation) return position;

        // Word that it is doomed may have overtaken the answer, without the cause.
        if (doom?.LogFailure is not null && transaction.Doom is { Reason: AbortReason.LogUnavailable, LogFailure: null }) transaction.Doom = doom;
        if (transaction.IsEnded) return position;
        transaction.Observed = Math.Max(transaction.Observed, observed);
        transaction.AccessNumber = Math.Max(transaction.AccessNumber, accessNumber);
        if ((flags & 1) != 0) Parallel.NoteParallel(transaction);
        transaction.HasLoaded |= (flags & 4) != 0;
        if (transaction.Reservations is { } reservations)
        {
            reservations.Differs |= (flags & 2) != 0;
            reservations.HasHandedOn |= (flags & 8) != 0;
        }

        foreach (var use in Message.ReadParts(ref reader))
        {
            if (use.Node == Context.Node) continue;
            Visit(transaction, use.Node);
            Partitions.NoteEpoch(use.Partition, use.Epoch);
            if (!transaction.MergeUse(use) && Context.Breaks != ProtocolBreaks.PrepEpoch) Lifecycle.Doom(transaction, AbortReason.OwnerChanged, null);
        }

        for (var n = reader.Count(); n > 0; n--) Visit(transaction, new NodeId(reader.Int()));
        ReadPredecessors(ref reader, transaction);
        if (transaction.DryRun is { } dry) ReadAccessSet(ref reader, dry);
        if (doom is not null && !transaction.IsDoomed)
        {
            Lifecycle.Doom(transaction, doom.Reason, null, resumeAt: resumeAt);
            transaction.Doom = doom;
        }

        return position;
    }

    private void Visit(LocalTransaction transaction, NodeId node)
    {
        if (node == Context.Node) return;
        transaction.Visited ??= [];
        if (!transaction.Visited.Contains(node)) transaction.Visited.Add(node);
    }

    private static string? NullIfEmpty(string text) => text.Length == 0 ? null : text;

    private static void WritePredecessors(ByteWriter writer, LocalTransaction transaction)
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

    private void ReadPredecessors(ref ByteReader reader, LocalTransaction transaction)
    {
        for (var n = reader.Count(); n > 0; n--)
        {
            var id = Message.ReadId(ref reader);
            var type = reader.String();
            var firstAttempt = reader.Int();
            var progress = (int)reader.Int();
            if (id == transaction.Id || Agents.IsAgentDone(id) || (id.Node == Context.Node && !Transactions.Knows(id))) continue;
            var isNew = !Transactions.Knows(id);
            var other = Transactions.FindOrCreateShell(id, type);
            if (isNew) other.FirstAttempt = firstAttempt;
            other.Progress = Math.Max(other.Progress, progress);
            transaction.AddPredecessor(other);
        }
    }
}
