using System.Runtime.CompilerServices;
using Orleans;
using Orleans.CodeGeneration;
using Orleans.Runtime;
using Orleans.Serialization.Invocation;
using Orleans.Transactions;
using Polyjuice.Contracts;
using Polyjuice.Orleans.Silos;
using Polyjuice.Orleans.Transactions;

namespace Polyjuice.Orleans.Calls;

/// <summary>The transaction that a call has started, where the call has arrived.</summary>
/// <param name="engine">Whose transaction it is.</param>
/// <param name="grain">The grain that is called.</param>
/// <param name="request">The call.</param>
/// <param name="arguments">
/// What the call has come with; <see langword="null"/> if no body changes that, or if there is to be only one.
/// </param>
internal sealed class CallRun(
    SiloEngine engine, IGrainContext grain, TransactionRequestBase request, RequestArguments? arguments)
    : RootRun(engine, grain)
{
    private Response? _answer;

    /// <summary>The last body's answer. Whoever starts a transaction has no use for its participants.</summary>
    public Response Response => _answer is TransactionResponse whole ? whole.InnerResponse : _answer!;

    /// <inheritdoc/>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    protected override async ValueTask RunBodyAsync(CallScope scope, int earlier)
    {
        if (earlier > 0) BeginAgain(scope, earlier);

        // Orleans' request would ask the agent for it and tell the agent of its end, each by a task.
        var info = TransactionInfos.Begin(
            TransactionAgent.GuidOf(scope.Frame.TransactionId), request.Options.HasFlag(InvokeMethodOptions.ReadOnly));
        request.TransactionInfo = info;
        try
        {
            _answer = await request.Invoke();
        }
        finally
        {
            request.TransactionInfo = null;
        }

        if (!info.TryToCommit) scope.IsDeclined = true;
        if (FailureOf(_answer) is { } exception) throw exception;
    }

    /// <summary>What an answer says of a failure: a transaction's shows it to nobody who does not ask.</summary>
    public static Exception? FailureOf(Response response) =>
        response is TransactionResponse answer ? answer.GetException() : response.Exception;

    private void BeginAgain(CallScope scope, int earlier)
    {
        // Its states are elsewhere, and the grain cannot follow them while this call is running. Callers find it there:
        // RootCall.
        if (Engine.Partitions.SendOnIfMoved(Grain!))
        {
            Call = null;
            throw new TransactionConflictException(
                TransactionAgent.GuidOf(scope.Frame.TransactionId).ToString(),
                new AbortInfo(
                    AbortReason.OwnerChanged, TransactionalMethod.Of(request).Element.Name, Grain!.GrainId.ToString(),
                    Attempts: earlier),
                null);
        }

        arguments?.Restore(request);
    }
}
