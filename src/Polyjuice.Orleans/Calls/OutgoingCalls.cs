using System.Runtime.ExceptionServices;
using Orleans;
using Orleans.CodeGeneration;
using Orleans.Runtime;
using Orleans.Runtime.Messaging;
using Orleans.Serialization;
using Orleans.Transactions;
using Polyjuice.Agents;
using Polyjuice.Orleans.Silos;
using Polyjuice.Orleans.Transactions;
using Polyjuice.Orleans.Turns;
using OrleansContext = Orleans.Transactions.TransactionContext;
using RequestContext = Orleans.Runtime.RequestContext;

namespace Polyjuice.Orleans.Calls;

/// <summary>
/// Calls of transactional methods where they are made: one that takes the
/// ambient transaction along is announced to the engine, and its answer is told.
/// </summary>
internal sealed class OutgoingCalls(
    PolyjuiceSilo silo, TurnKeepers keepers, EngineServiceClient peers, UnansweredCalls unanswered,
    TransactionFailures failures, Serializer<OrleansTransactionAbortedException> exceptions)
{
    private readonly QueuedCallKeys _keys = new(silo.Self.Node);

    // By engine.
    private readonly QueuedCalls[] _queues =
        [.. silo.Engines.Select(engine => new QueuedCalls(engine, silo.Engines, keepers, peers))];

    /// <inheritdoc cref="ICallEnds.SendAsync"/>
    public Task SendAsync(IOutgoingGrainCallContext context, TransactionCall call)
    {
        var request = call.Request;
        if (!request.IsAmbientTransactionSuppressed && request.TransactionOption != TransactionOption.NotAllowed
            && CallScope.Current is { } scope && OrleansContext.GetTransactionInfo() is { } ambient)
            return JoinAsync(context, call, scope, ambient);
        if (!RootCall.Is(request)) return ((IOutgoingGrainCallFilter)request).Invoke(context);
        var sent = CallScope.Current is { } outer
            ? StartWithinAsync(context, call, outer)
            : RootCall.InvokeAsync(context, call, silo.Limits.ResponseTimeout, unanswered, mayWait: true);
        return failures.Watch(sent, context, request);
    }

    // The outer transaction waits for it, and has been wanted before.
    private async Task StartWithinAsync(IOutgoingGrainCallContext context, TransactionCall call, CallScope outer)
    {
        var since = outer.Frame.BeganMicroseconds;
        CallAge.Carry(since);
        await RootCall.InvokeAsync(context, call, silo.Limits.ResponseTimeout, unanswered, mayWait: false, since);
    }

    private async Task JoinAsync(
        IOutgoingGrainCallContext context, TransactionCall sent, CallScope scope, TransactionInfo ambient)
    {
        var request = sent.Request;
        if (request.Options.HasFlag(InvokeMethodOptions.OneWay))
            throw new OrleansTransactionException(
                $"{NameOf(request)} is one-way and can't be called within a transaction, because nobody would hear how "
                + "it has ended. Take [OneWay] away, or its [Transaction] option that joins.");
        var mayQueue = keepers.KeepTurn(context.TargetId.Type)
            && !request.Options.HasFlag(InvokeMethodOptions.AlwaysInterleave);
        OutgoingCall call;
        CallToken token;
        QueuedCall? queued = null;
        var engine = scope.Engine;
        using (engine.Turn.Enter())
        {
            call = scope.Frame.BeginCall();
            token = new CallToken(engine, call, context.TargetId);
            if (mayQueue) QueueOf(engine).Add(queued = Queued(call, token, scope, context, request));
        }

        sent.Take(token);
        if (queued is { MayBeLetIn: true }) RequestContext.ReentrancyId = token.Key;

        // In place of Orleans' request, which would have every info carry a list of those that come back.
        request.TransactionInfo = TransactionInfos.Fork(ambient);
        Exception? failure = null;
        try
        {
            var answered = context.Invoke();
            if (queued is not null
                && await Task.WhenAny(answered, queued.GivenUp).ConfigureAwait(false) != answered)
            {
                // What comes of it late belongs to an attempt that is over.
                answered.Ignore();
                await queued.GivenUp.ConfigureAwait(false);
            }

            await answered.ConfigureAwait(false);
        }
        catch (Exception exception)
        {
            failure = exception;
        }

        var answer = context.Response as TransactionResponse;
        var info = answer?.TransactionInfo;
        failure ??= answer?.GetException();
        var report = token.Report ?? (info is null || token.IsLocal ? null : CallReport.Take(info));
        failure ??= context.Response?.Exception;
        var isOfCluster = failure is not null && IsOfCluster(failure);

        // Filters show exceptions to the caller, and answers of their own, without the report.
        byte[]? found = null;
        if (report is null && !token.IsLocal && !isOfCluster && !IsDoomed(scope))
            (found, isOfCluster) = await silo.Reports.FindAsync(engine, call, context.TargetId).ConfigureAwait(false);
        using (engine.Turn.Enter())
        {
            if (queued is not null) QueueOf(engine).Remove(queued);
            if ((report ?? found) is { } bytes) call.Complete(bytes);
            else if (call.HasReturned) call.Complete();

            // It has not taken part, or what it has answered does not come here.
            if (isOfCluster) call.Fail(failure);
            else if (failure is not null || !call.HasReturned) call.Refuse();
            if (failure is null && (!call.HasReturned || (!HasAnswered(info, token) && scope.Frame.IsDoomed)))
                failure = NoAnswerOf(request);
        }

        // Orleans' account of the transaction's calls; and its cause, if the caller's code catches this.
        if (failure is null && (info is null || TransactionInfos.IsPlain(info))) TransactionInfos.Return(ambient);
        else TransactionInfos.Complete(ambient).Join(info ?? AccountOf(ambient, failure));
        if (failure is null) return;

        // As with a plain call, there is no answer that a filter could let pass by catching the exception.
        context.Response = null;
        ExceptionDispatchInfo.Throw(failure);
    }

    private QueuedCalls QueueOf(SiloEngine engine) => _queues[engine.Self.Number];

    private static bool HasAnswered(TransactionInfo? info, CallToken token) => info is not null || token.HasSucceeded;

    private static bool IsDoomed(CallScope scope)
    {
        using (scope.Engine.Turn.Enter()) return scope.Frame.IsDoomed;
    }

    private QueuedCall Queued(
        OutgoingCall call, CallToken token, CallScope caller, IOutgoingGrainCallContext context,
        TransactionRequestBase request)
    {
        token.Key = _keys.Next();
        return new(call, caller.Frame, token, context.TargetId, NameOf(request))
        {
            Since = caller.Engine.Turn.TurnTime,
            IsReadOnly = request.Options.HasFlag(InvokeMethodOptions.ReadOnly),

            // Unless the application has an identity of its own for the call's chain.
            MayBeLetIn = RequestContext.ReentrancyId == Guid.Empty,
        };
    }

    private TransactionInfo AccountOf(TransactionInfo ambient, Exception? failure)
    {
        var account = new TransactionInfo(ambient);
        if (failure is not null and not TransactionDoomedException) account.RecordException(failure, exceptions);
        return account;
    }

    private static OrleansTransactionException NoAnswerOf(TransactionRequestBase request) =>
        new($"{NameOf(request)} was answered without having taken part in the transaction: "
            + "a call filter has not invoked it, or has put another answer in the place of its exception.");

    // Which failures may be gone when the call is made again: a silo that is gone, or on its way. The application's own
    // code at the callee may throw the same (a filter that gives up waiting, say): the last one is told in the end.
    // Others are the application's, whatever they are.
    private static bool IsOfCluster(Exception failure) =>
        failure is TimeoutException or OrleansMessageRejectionException or ConnectionFailedException
            or OperationCanceledException or ObjectDisposedException;

    private static string NameOf(TransactionRequestBase request) =>
        $"{request.GetInterfaceName()}.{request.GetMethodName()}";
}
