using Orleans;
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
        return RootCall.Is(request) ? RootCall.InvokeAsync(context, request) : ((IOutgoingGrainCallFilter)request).Invoke(context);
    }

    private async Task JoinAsync(IOutgoingGrainCallContext context, TransactionRequestBase request, CallScope scope)
    {
        OutgoingCall call;
        using (silo.Turn.Enter()) call = scope.Frame.BeginCall();
        var token = new CallToken(silo, call, context.TargetId);
        RequestContext.Set(CallToken.Key, token);
        try
        {
            await ((IOutgoingGrainCallFilter)request).Invoke(context);
        }
        finally
        {
            var info = (context.Response as TransactionResponse)?.TransactionInfo;
            var report = info is null || token.IsLocal ? null : CallReport.Take(info);
            using (silo.Turn.Enter())
            {
                if (report is not null) call.Complete(report);
                else if (info is not null && token.IsLocal) call.Complete();
                else call.Fail();
            }
        }
    }
}
