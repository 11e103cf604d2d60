using Microsoft.Extensions.Options;
using Orleans;
using Orleans.Configuration;
using Orleans.Runtime;
using Orleans.Serialization.Invocation;
using Polyjuice.Orleans.Calls;
using Polyjuice.Orleans.Transactions;

namespace Polyjuice.Orleans.Clients;

/// <summary>
/// Sends a client's calls that take its transaction along by way of the transaction's grain. Others pass.
/// </summary>
internal sealed class ClientCallEnds(
    IOptions<ClientMessagingOptions> messaging, UnansweredCalls unanswered, TransactionFailures failures,
    CallForms forms) : ICallEnds
{
    private readonly TimeSpan _responseTimeout = messaging.Value.ResponseTimeout;

    /// <inheritdoc/>
    public CallForms Forms => forms;

    /// <inheritdoc/>
    public Task SendAsync(IOutgoingGrainCallContext context, TransactionCall call)
    {
        var request = call.Request;
        if (request.IsAmbientTransactionSuppressed || ClientScope.Current is not { } scope)
        {
            return RootCall.Is(request)
                ? failures.Watch(
                    RootCall.InvokeAsync(
                        context, call, _responseTimeout, unanswered, mayWait: ClientScope.Current is null),
                    context, request)
                : ((IOutgoingGrainCallFilter)request).Invoke(context);
        }

        return request.TransactionOption == TransactionOption.NotAllowed
            ? Task.FromException(new NotSupportedException("Call cannot be made within a transaction."))
            : InvokeAsync(context, request, scope);
    }

    /// <inheritdoc/>
    public ValueTask<Response> ReceiveAsync(TransactionCall call, ITargetHolder? holder) => call.Request.Invoke();

    private static async Task InvokeAsync(IOutgoingGrainCallContext context, IInvokable request, ClientScope scope) =>
        context.Response = Response.FromResult(
            await scope.Transaction.Invoke(scope.Attempt, scope.NextCall(), (GrainReference)context.Grain, request));
}
