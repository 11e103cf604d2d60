using Orleans;
using Orleans.Transactions;
using Polyjuice.Execution;
using Polyjuice.Orleans.Silos;
using OrleansContext = Orleans.Transactions.TransactionContext;
using RequestContext = Orleans.Runtime.RequestContext;

namespace Polyjuice.Orleans.Calls;

/// <summary>Sees every grain call where it is made: one that takes the ambient transaction along is announced to the engine, and its answer is told. Others pass.</summary>
internal sealed class OutgoingCallFilter(SiloEngine silo) : IOutgoingGrainCallFilter
{
    /// <inheritdoc/>
    public Task Invoke(IOutgoingGrainCallContext context)
    {
        if (context.Request is not TransactionRequestBase request) return context.Invoke();
        if (!request.IsAmbientTransactionSuppressed && request.TransactionOption != TransactionOption.NotAllowed && CallScope.Current is { } scope && OrleansContext.GetTransactionInfo() is not null)
            return InvokeAsync(context, scope);
        return RootCall.Is(request) ? RootCall.InvokeAsync(context, request) : context.Invoke();
    }

    private async Task InvokeAsync(IOutgoingGrainCallContext context, CallScope scope)
    {
        OutgoingCall call;
        using (silo.Turn.Enter()) call = scope.Frame.BeginCall();
        var token = new CallToken(silo, call, context.TargetId);
        RequestContext.Set(CallToken.Key, token);
        try
        {
            await context.Invoke();
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
