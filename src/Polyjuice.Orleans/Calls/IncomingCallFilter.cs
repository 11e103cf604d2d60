using Orleans;
using Orleans.CodeGeneration;
using Orleans.Runtime;
using Orleans.Serialization;
using Orleans.Transactions;
using Polyjuice.Execution;
using Polyjuice.Orleans.Silos;
using Polyjuice.Orleans.Transactions;
using RequestContext = Orleans.Runtime.RequestContext;

namespace Polyjuice.Orleans.Calls;

/// <summary>
/// Sees every grain call where it arrives: one that starts a transaction is run by the engine, maybe more than once; one of a transaction that runs already gets its frame. Others pass.
/// </summary>
internal sealed class IncomingCallFilter(SiloEngine silo, TransactionAdmission admission, DeepCopier copier) : IIncomingGrainCallFilter
{
    /// <inheritdoc/>
    public Task Invoke(IIncomingGrainCallContext context)
    {
        if (context.Request is not TransactionRequestBase request) return context.Invoke();
        if (request.TransactionInfo is not null) return JoinAsync(context, request);
        return request.IsTransactionRequired ? StartAsync(context, request) : context.Invoke();
    }

    private async Task StartAsync(IIncomingGrainCallContext context, TransactionRequestBase request)
    {
        var method = TransactionalMethod.Of(request);
        var mayRunDry = method.AllowsReconnaissance || silo.DryRunsByDefault;
        var arguments = method.IsRetryOff && !mayRunDry ? null : RequestArguments.Keep(request, method, copier);
        var transaction = new TransactionRequest
        {
            Type = method.Element.Name,
            IsReadOnly = request.Options.HasFlag(InvokeMethodOptions.ReadOnly),
            MaxAttempts = method.IsRetryOff ? 1 : 0,
            MayWaitToStart = GrainClasses.IsReentrant(context.Grain?.GetType()),
            AllowsReconnaissance = mayRunDry,
            TimeoutMicroseconds = silo.TransactionTimeout(method.ResponseTimeout),
        };
        try
        {
            await admission.RunAsync(new RootRun(silo, context.TargetContext), transaction, method.Element, Attempt, request.GetCancellationToken());
        }
        catch (OrleansTransactionAbortedException exception) when (exception.InnerException is DeclinedException)
        {
            // What a delegate within the call asked for; the call itself has succeeded.
        }

        // Whoever starts a transaction has no use for what its participants were.
        if (context.Response is TransactionResponse response) context.Response = response.InnerResponse;

        async Task Attempt(CallScope scope, int earlier)
        {
            if (earlier > 0)
            {
                // Its states are elsewhere, and the grain cannot follow them while this call is running. Callers find it there: RootCall.
                if (silo.SendOnIfMoved(context.TargetContext))
                    throw new TransactionConflictException(TransactionAgent.GuidOf(scope.Frame.TransactionId).ToString(), new AbortInfo(AbortReason.OwnerChanged, transaction.Type, context.TargetId.ToString(), Attempts: earlier), null);
                arguments?.Restore(request);
            }

            await context.Invoke();
            if (context.Response is TransactionResponse answer && answer.GetException() is { } exception) throw exception;
        }
    }

    private async Task JoinAsync(IIncomingGrainCallContext context, TransactionRequestBase request)
    {
        if (RequestContext.Get(CallToken.Key) is not CallToken token)
            throw new OrleansTransactionException("A transaction's call has come from a silo or client that does not run Polyjuice. Two engines must not share a cluster.");

        // It is this call's alone: calls that this one makes have their own.
        RequestContext.Remove(CallToken.Key);
        CallFrame? frame;
        using (silo.Turn.Enter()) frame = token.Enter(silo, TransactionalMethod.Of(request).Element);
        if (frame is null) throw new SiloUnavailableException("The call's transaction has already ended.");
        Exception? failure = null;
        try
        {
            CallScope.Current = new CallScope(frame, context.TargetContext);
            await context.Invoke();
            failure = (context.Response as TransactionResponse)?.GetException();
        }
        catch (Exception exception)
        {
            failure = exception;
            throw;
        }
        finally
        {
            string? report = null;
            using (silo.Turn.Enter())
            {
                frame.Exit(failure);
                if (!token.IsLocal) report = CallReport.Write(frame);
            }

            if (context.Response is TransactionResponse { TransactionInfo: { } info })
            {
                if (report is not null) CallReport.Add(info, report);

                // Callers take the first exception that they hear of for the cause.
                if (failure is TransactionDoomedException) info.OriginalException = null;
            }
        }
    }
}
