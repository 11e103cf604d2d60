using System.Buffers;
using Polyjuice.Agents.Spans;
using Polyjuice.Contracts;
using Polyjuice.Partitions;
using Polyjuice.Policies;
using Polyjuice.Reservations;
using Polyjuice.Versions;
using Polyjuice.Waits;
using Polyjuice.Wire;

namespace Polyjuice.Agents;

/// <summary>
/// What travels down with a transaction's grain calls between silos, and the frames of the calls that come.
/// </summary>
internal sealed class CallTokens(
    EngineParts engine, EngineContext context, PathTree paths, DeadNodes dead, LiveAttempts live,
    KnownAgents agents, Timers timers, AttemptSpans spans, TablesInForce tables, TransactionTable transactions,
    ParallelTransactions parallelTransactions, Predecessors predecessors)
{
    private readonly ByteWriter _scratch = new(context.Names);
    private long _callSequence;

    public void Write(OutgoingCall call, NodeId destination, IBufferWriter<byte> output)
    {
        var frame = call.Caller;
        var transaction = frame.Transaction;
        call.Id = ++_callSequence;
        call.Destination = destination;
        (transaction.RemoteCalls ??= []).Add(call);
        SignsOfLife.Note(transaction, context);
        if (destination != context.Node) transaction.Visit(destination);

        // Nothing, and no byte in the token, unless somebody keeps a trace of the attempt.
        var trace = SpanSource.IsOn ? spans.ContextOf(transaction) : default;
        var token = new TransactionToken
        {
            Clock = context.Clock.Tick(),
            OldestLive = live.OldestLive,
            Transaction = transaction.Id,
            Parent = frame.Path,
            Call = call.Id,
            FirstAttempt = transaction.FirstAttempt,
            Start = transaction.Start,
            Observed = transaction.Observed,
            Deadline = transaction.Deadline,
            Flags = FlagsOf(transaction)
                | (trace != default ? TransactionTokenFlags.Traced : TransactionTokenFlags.None),
            Position = call.Position,
            AccessNumber = transaction.AccessNumber,
            Generation = transaction.Generation,
            ReplayUpTo = transaction.ReplayUpTo,
        };
        _scratch.Clear();
        token.Write(_scratch);
        Predecessors.Write(_scratch, transaction);

        // Last, where engines that do not know of it read no further.
        if (trace != default) SpanContext.Write(_scratch, trace);
        output.Write(_scratch.Written);
    }

    /// <summary>A grain call of a transaction arrives from another silo: the frame that its body runs in.</summary>
    /// <param name="caller">The silo it came from.</param>
    /// <param name="bytes">What <see cref="OutgoingCall.WriteToken"/> wrote there.</param>
    /// <param name="method">The called method.</param>
    /// <returns>
    /// <see langword="null"/> for a call that must not run: a repetition (R1c), or one of a transaction that is over.
    /// The host drops it.
    /// </returns>
    /// <exception cref="CodingException">The token is not one of this version.</exception>
    public CallFrame? Enter(NodeId caller, ReadOnlySpan<byte> bytes, GrainMethod method)
    {
        if (context.IsStopped) return null;
        var reader = new ByteReader(bytes, context.Names);
        var token = TransactionToken.Read(ref reader, paths);
        var id = token.Transaction;
        var last = context.Clock.Last;
        if (!context.Clock.TryAccept(token.Clock))
        {
            context.Log.SkewRefused(caller.Value, (token.Clock >> HybridClock.LogicalBits) - context.Now);
            return null;
        }

        context.Events?.Heard(caller, token.Clock, last, caller == id.Node ? token.OldestLive : 0);
        if (caller == id.Node) agents.NoteOldestLive(caller, token.OldestLive);
        if (dead.Contains(id.Node) || agents.IsAgentDone(id)) return null;
        var transaction = FindOrCreate(token);

        // It may have been known by its name before. Without the record a resumed body would do again here what it is
        // to be served.
        if (token.Has(TransactionTokenFlags.Recorded)) transaction.Record ??= [];
        transaction.IsReadOnly |= token.Has(TransactionTokenFlags.ReadOnly);

        // R1c: a repeated call must not run the body twice.
        if (!(transaction.EnteredCalls ??= []).Add((caller, token.Call)) && context.Breaks != ProtocolBreaks.Idem)
            return null;
        context.Events?.Entered(id, caller, token.Call);
        SignsOfLife.Note(transaction, context);
        Merge(transaction, token);
        predecessors.Read(ref reader, transaction);
        if (token.Has(TransactionTokenFlags.Traced)) spans.Visits(transaction, SpanContext.Read(reader.Bytes()));
        return new CallFrame(
            engine, transaction, token.Parent.Child(method), null, new RemoteCaller(caller, token.Call),
            token.Position);
    }

    private static TransactionTokenFlags FlagsOf(LocalTransaction transaction)
    {
        var flags = TransactionTokenFlags.None;
        if (transaction.IsReadOnly) flags |= TransactionTokenFlags.ReadOnly;
        if (transaction.IsParallel) flags |= TransactionTokenFlags.Parallel;
        if (transaction.Record is not null) flags |= TransactionTokenFlags.Recorded;
        if (transaction.DryRun is not null) flags |= TransactionTokenFlags.Dry;
        if (transaction.Reservations is { KeepsToPlan: true } plan)
            flags |= TransactionTokenFlags.Planned
                | (plan.IsPartial ? TransactionTokenFlags.PlannedInPart : TransactionTokenFlags.None);
        if (transaction.KeepsWrites) flags |= TransactionTokenFlags.KeepsWrites;
        return flags;
    }

    private LocalTransaction FindOrCreate(in TransactionToken token)
    {
        if (transactions.TryFind(token.Transaction, out var known)) return known;
        var transaction = new LocalTransaction(
            token.Transaction, token.Parent.Type, token.Parent.TypeId, tables.Current)
        {
            Start = token.Start,
            Deadline = token.Deadline,
            IsReadOnly = token.Has(TransactionTokenFlags.ReadOnly),
            Record = token.Has(TransactionTokenFlags.Recorded) ? [] : null,
            Reservations = token.Has(TransactionTokenFlags.Dry) ? new() { DryRun = new() } : null,
        };
        transactions.Know(transaction);
        timers.EnsureTicking();
        return transaction;
    }

    /// <summary>Where the transaction stands, as its caller knows it.</summary>
    private void Merge(LocalTransaction transaction, in TransactionToken token)
    {
        transaction.FirstAttempt = token.FirstAttempt;
        transaction.Start = token.Start;
        transaction.Deadline = token.Deadline;
        transaction.Observed = Math.Max(transaction.Observed, token.Observed);
        transaction.KeepsWrites |= token.Has(TransactionTokenFlags.KeepsWrites);
        if (token.Has(TransactionTokenFlags.Parallel)) parallelTransactions.NoteParallel(transaction);
        if (token.Has(TransactionTokenFlags.Planned))
        {
            var reservations = transaction.Reservations ??= new();
            reservations.IsPlanned = true;
            reservations.IsPartial |= token.Has(TransactionTokenFlags.PlannedInPart);
        }
        else if (transaction.Reservations is { } cut)
        {
            // The agent's word that it runs without them may come later, or never.
            cut.WasCutShort = true;
        }

        if (token.Generation > transaction.Generation)
        {
            transaction.Generation = token.Generation;
            transaction.ReplayUpTo = token.ReplayUpTo;
            if (transaction.ResumeAt >= 0)
            {
                transaction.Doom = null;
                transaction.ResumeAt = -1;
            }
        }

        transaction.AccessNumber = token.AccessNumber;
    }
}
