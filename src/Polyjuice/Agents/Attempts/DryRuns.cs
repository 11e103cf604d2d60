using Polyjuice.Agents.Spans;
using Polyjuice.Contracts;
using Polyjuice.Partitions;
using Polyjuice.Policies;
using Polyjuice.Reservations;
using Polyjuice.Versions;
using Polyjuice.Wire;

namespace Polyjuice.Agents;

/// <summary>Dry runs: the body is run once to find out what it accesses, and to have it loaded.</summary>
internal sealed class DryRuns(
    EngineContext context, LiveAttempts live, Mail mail, TypeLearning learning, AttemptSpans spans,
    TablesInForce tables, TransactionTable transactions, Lifecycle lifecycle, AttemptEnd attemptEnd,
    AttemptStarts starts)
{
    /// <summary>Of the dry run that ended last here; for tests.</summary>
    public AccessSet? LastAccessSet { get; private set; }

    /// <summary>Runs the body dry. However it ends, what it has accessed until then is what is known.</summary>
    public async Task<LocalTransaction> RunAsync(
        TransactionRequest request, PathNode path, ITransactionBody body, LocalTransaction? earlier,
        CancellationToken cancellationToken)
    {
        var deadline = earlier?.Deadline ?? context.Now + starts.TimeoutOf(request);
        var transaction = new LocalTransaction(
            new TransactionId(context.Node, live.NextNumber()), request.Type, path.TypeId, tables.Current)
        {
            Start = context.Clock.Tick(),
            Deadline = Math.Min(deadline, context.Now + context.Options.DryRunTimeoutMicroseconds),
            Reservations = new TransactionReservations
            {
                DryRun = new DryRun(),
                Strays = earlier?.Reservations?.Strays ?? 0,
                IsMisdeclared = earlier?.Reservations?.IsMisdeclared ?? false,
            },
        };
        transaction.FirstAttempt = earlier?.FirstAttempt ?? transaction.Start;
        context.Statistics.DryRuns++;
        var agent = starts.Enlist(transaction, cancellationToken);
        spans.Begin(request, transaction);
        starts.StartBody(agent, path, body);
        if (agent.Watch is { } watch)
        {
            await watch.Over;
            agent.Watch = null;
            watch.TryExit(out agent.Failure);
        }

        if (transaction.IsAdmissionChosenHere) learning.NoteLoading(transaction.TypeId, transaction.HasLoaded);
        transaction.DryRun!.IsWhole = agent.Failure is null && !transaction.IsDoomed;
        mail.SendToAll(
            transaction.Visited, new Message { Kind = MessageKind.DryRunEnded, Transaction = transaction.Id });
        agent.Complete(new AbortInfo(AbortReason.Cancelled, request.Type));
        attemptEnd.Finish(agent);
        LastAccessSet = transaction.DryRun!.Accesses;

        // Age and time count from here on, whatever the dry run took.
        transaction.Deadline = deadline;
        return transaction;
    }

    /// <summary>
    /// Whether a dry run of another node's agent has had its time, as far as clocks agree. Its agent's word may have
    /// been lost.
    /// </summary>
    public long OverAt(LocalTransaction transaction) =>
        transaction.Deadline + context.Options.MaxClockSkewMicroseconds + 1;

    public void OnEnded(TransactionId id)
    {
        if (transactions.TryFind(id, out var transaction) && transaction is { Agent: null, DryRun: not null })
            lifecycle.End(transaction, aborted: true);
    }
}
