using Orleans;
using Orleans.CodeGeneration;
using Orleans.Runtime;
using Orleans.Runtime.Messaging;
using Orleans.Transactions;
using Polyjuice.Execution;
using Polyjuice.Orleans.Silos;
using OrleansContext = Orleans.Transactions.TransactionContext;
using RequestContext = Orleans.Runtime.RequestContext;

namespace Polyjuice.Orleans.Calls;

/// <summary>Calls of transactional methods where they are made: one that takes the ambient transaction along is announced to the engine, and its answer is told.</summary>
internal sealed class OutgoingCalls(SiloEngine silo)
{
    /// <inheritdoc cref="ICallEnds.SendAsync"/>
    public Task SendAsync(IOutgoingGrainCallContext context, TransactionRequestBase request)
    {
        if (!request.IsAmbientTransactionSuppressed && request.TransactionOption != TransactionOption.NotAllowed && CallScope.Current is { } scope && OrleansContext.GetTransactionInfo() is not null)
            return JoinAsync(context, request, scope);
        if (!RootCall.Is(request)) return ((IOutgoingGrainCallFilter)request).Invoke(context);
        return CallScope.Current is { } outer
            ? StartWithinAsync(context, request, outer)
            : RootCall.InvokeAsync(context, request);
    }

    // The outer transaction waits for it, and has been wanted before.
    private static async Task StartWithinAsync(
        IOutgoingGrainCallContext context, TransactionRequestBase request, CallScope outer)
    {
        var since = outer.Frame.BeganMicroseconds;
        CallAge.Carry(since);
        await RootCall.InvokeAsync(context, request, since);
    }

    private async Task JoinAsync(IOutgoingGrainCallContext context, TransactionRequestBase request, CallScope scope)
    {
        if (request.Options.HasFlag(InvokeMethodOptions.OneWay))
            throw new OrleansTransactionException($"{NameOf(request)} is one-way and can't be called within a transaction, because nobody would hear how it has ended. Take [OneWay] away, or its [Transaction] option that joins.");
        OutgoingCall call;
        using (silo.Turn.Enter()) call = scope.Frame.BeginCall();
        var token = new CallToken(silo, call, context.TargetId);
        RequestContext.Set(CallToken.Key, token);
        Exception? failure = null;
        var hasAnswer = false;
        try
        {
            await ((IOutgoingGrainCallFilter)request).Invoke(context);
        }
        catch (Exception exception)
        {
            failure = exception;
            throw;
        }
        finally
        {
            var info = (context.Response as TransactionResponse)?.TransactionInfo;
            var report = info is null || token.IsLocal ? null : CallReport.Take(info);
            hasAnswer = report is not null || (info is not null && token.IsLocal);
            failure ??= context.Response?.Exception;
            using (silo.Turn.Enter())
            {
                if (report is not null) call.Complete(report);
                else if (hasAnswer) call.Complete();
                else if (failure is not null && IsOfCluster(failure)) call.Fail();
                else call.Refuse();
            }
        }

        if (!hasAnswer && failure is null)
            throw new OrleansTransactionException($"{NameOf(request)} was answered without having taken part in the transaction: a call filter has not invoked it, or has put another answer in the place of its own.");
    }

    // Which failures may be gone when the call is made again: a silo that is gone, or on its way. Others are the application's, whatever they are.
    private static bool IsOfCluster(Exception failure) =>
        failure is TimeoutException or OrleansMessageRejectionException or ConnectionFailedException or OperationCanceledException or ObjectDisposedException;

    private static string NameOf(TransactionRequestBase request) => $"{request.GetInterfaceName()}.{request.GetMethodName()}";
}
