using Polyjuice.Agents.Spans;
using Polyjuice.Contracts;
using Polyjuice.Partitions;
using Polyjuice.Policies;
using Polyjuice.Versions;
using Polyjuice.Wire;

namespace Polyjuice.Agents;

/// <summary>Begins attempts and runs their bodies.</summary>
internal sealed class AttemptStarts(
    EngineParts engine, EngineContext context, LiveAttempts live, Timers timers, PathTree paths,
    TypeLearning learning, AttemptSpans spans, TablesInForce tables, TransactionTable transactions,
    AdmissionChoice admissionChoice)
{
    /// <summary>Begins an attempt, and its body.</summary>
    public AgentTransaction Start(
        TransactionRequest request, GrainMethod method, ITransactionBody body, LocalTransaction? earlier,
        CancellationToken cancellationToken)
    {
        var path = paths.Root(request.Type, method);
        var agent = Begin(request, path, earlier, cancellationToken);
        StartBody(agent, path, body);
        return agent;
    }

    public AgentTransaction Begin(
        TransactionRequest request, PathNode path, LocalTransaction? earlier, CancellationToken cancellationToken)
    {
        var table = tables.Current;
        var deadline = earlier?.Deadline ?? context.Now + TimeoutOf(request);
        var transaction = new LocalTransaction(
            new TransactionId(context.Node, live.NextNumber()), request.Type, path.TypeId, table)
        {
            IsReadOnly = request.IsReadOnly,
            Start = context.Clock.Tick(),
            Deadline = deadline,
            KeepsWrites = table.ChoosesAdmissions && learning.ArmOf(path.TypeId, context.Now) != AdmissionArm.HandOn,
        };
        transaction.FirstAttempt = earlier?.FirstAttempt ?? transaction.Start;
        if (table.HasEarlyValidation) transaction.Record = [];
        context.Statistics.Attempts++;
        if (request.AccessSet is not null || admissionChoice.MayRunDry(request)) context.Statistics.Reservable++;
        var agent = Enlist(transaction, cancellationToken);
        agent.IsAdmitted = !request.IsReadOnly;
        spans.Begin(request, transaction);
        return agent;
    }

    /// <summary>From now on it is live (R1c).</summary>
    public AgentTransaction Enlist(LocalTransaction transaction, CancellationToken cancellationToken)
    {
        var agent = new AgentTransaction(transaction) { Cancellation = cancellationToken };
        transaction.Agent = agent;
        live.Add(agent);
        transactions.Know(transaction);
        timers.EnsureTicking();
        return agent;
    }

    /// <summary>
    /// Runs the body; <see cref="AgentTransaction.Failure"/> says how it ended, unless <see
    /// cref="AgentTransaction.Watch"/> is there to be waited for.
    /// </summary>
    public void StartBody(AgentTransaction agent, PathNode path, ITransactionBody body)
    {
        var frame = new CallFrame(engine, agent.Transaction, path, null, null, 0);
        try
        {
            if (body.Run(frame) is { } watch)
            {
                agent.Watch = watch;
                return;
            }

            var run = frame.Activity is { } activity ? SpanSource.Run(activity, body, frame) : body.RunAsync(frame);
            if (!run.IsCompleted)
            {
                agent.Watch = new BodyWatch(body, frame, run);
                return;
            }

            body.RunEnded(frame);
            run.GetAwaiter().GetResult();
        }
        catch (Exception exception)
        {
            agent.Failure = exception;
        }

        frame.Exit(agent.Failure);
    }

    public long TimeoutOf(TransactionRequest request) =>
        request.TimeoutMicroseconds > 0 ? request.TimeoutMicroseconds : context.Options.TransactionTimeoutMicroseconds;
}
