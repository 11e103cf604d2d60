using Orleans;
using Orleans.CodeGeneration;
using Orleans.Runtime;
using Orleans.Serialization;
using Orleans.Serialization.Invocation;
using Orleans.Transactions;
using Polyjuice.Agents;
using Polyjuice.Contracts;
using Polyjuice.Orleans.Idempotency;
using Polyjuice.Orleans.Silos;
using Polyjuice.Orleans.Tracing;
using Polyjuice.Orleans.Transactions;
using Polyjuice.Orleans.Turns;
using RequestContext = Orleans.Runtime.RequestContext;

namespace Polyjuice.Orleans.Calls;

/// <summary>
/// Calls of transactional methods where they arrive: one that starts a transaction is run by the engine, maybe more
/// than once; one of a transaction that runs already gets its frame. Others pass.
/// </summary>
internal sealed class IncomingCalls(
    PolyjuiceSilo silo, GrainEngines engines, TransactionAdmission admission, CallAccessSets accessSets,
    GrainCatalogue catalogue, IncomingFilters filters, TurnKeepers keepers, ReceivedCalls received,
    IdempotentCalls idempotent, DeepCopier copier, Serializer serializer)
{
    /// <inheritdoc cref="ICallEnds.ReceiveAsync"/>
    public ValueTask<Response> ReceiveAsync(TransactionCall call, ITargetHolder? holder)
    {
        var request = call.Request;
        if (holder is not IGrainContext grain) return request.Invoke();
        if (request.TransactionInfo is not null) return new(JoinAsync(call, request, grain));
        return request.IsTransactionRequired ? new(RootAsync(call, request, grain)) : request.Invoke();
    }

    // An answer and not just an exception: what a filter swallows without setting a result, the caller gets all the
    // same.
    private async Task<Response> RootAsync(TransactionCall call, TransactionRequestBase request, IGrainContext grain)
    {
        using var underWay = silo.Roots.Enter();
        var engine = engines.Of(grain);
        call.KeepsArguments = true;
        call.Arrive();
        var sent = call.Sent;
        var number = sent?.Number ?? Guid.Empty;
        try
        {
            request = idempotent.Of(CallContext.Take(IdempotencyKey.Key), request, grain);
        }
        catch (IdempotencyException exception)
        {
            return Response.FromException(exception);
        }

        // With a key it may come and run as often as it likes.
        var isCounted = number != Guid.Empty && number != call.Received && request is not IdempotentRequest;
        if (isCounted && received.Take(number) is { } first)
        {
            await first;
            return Response.FromException(DeliveredTwice(request, number));
        }

        if (isCounted && sent!.IsCopy && !engine.Partitions.HasServed(grain, Remembered))
        {
            received.End(number, mayComeAgain: true);
            return Response.FromException(MayHaveRunElsewhere(request, number));
        }

        call.Received = number;
        Exception? failure = null;
        var mayWait = GrainClasses.IsReentrant(grain.GrainInstance?.GetType());
        var since = CallAge.Take();
        var isOpen = false;
        try
        {
            // Here and not further down, because thousands may wait.
            var waited = await admission.EnterAsync(mayWait, since, request.GetCancellationToken());
            isOpen = waited is not null;
            if (!isOpen) throw admission.Overloaded();
            var run = RunOf(engine, request, grain);
            try
            {
                await RunAsync(run, request, grain, mayWait, since, waited!.Value).ConfigureAwait(false);
            }
            catch (OrleansTransactionAbortedException exception) when (exception.InnerException is DeclinedException)
            {
                // What a delegate within the call asked for; the call itself has succeeded.
            }

            call.KeepsArguments = false;
            return sent is null ? run.Response : WaitMark.Set(run.Response, waited!.Value);
        }
        catch (Exception exception)
        {
            failure = exception;
            return Response.FromException(exception);
        }
        finally
        {
            if (isOpen) admission.Leave(mayWait);

            // Who has heard that makes the call again under its number: the other copy may be running elsewhere by now.
            if (isCounted) received.End(number, mayComeAgain: RootCall.IsRefusal(failure));
            if (RootCall.IsRefusal(failure)) call.Received = Guid.Empty;
        }
    }

    // No copy comes later than that: its caller has given the call up.
    private TimeSpan Remembered =>
        silo.Limits.ResponseTimeout > ReceivedCalls.RememberedFor
            ? silo.Limits.ResponseTimeout
            : ReceivedCalls.RememberedFor;

    // The first copy went elsewhere, or was lost. Where the grain
    // has been here all the time, it can't have run elsewhere.
    private static OrleansTransactionInDoubtException MayHaveRunElsewhere(
        TransactionRequestBase request, Guid number) => new(
        number.ToString(),
        $"{request.GetInterfaceName()}.{request.GetMethodName()} was sent again, because a connection broke while it "
        + "was sent. The first copy may have run on another silo, so this one has not run.",
        null);

    // The caller hears the first answer that comes. Only if that was lost with the connection does it hear this one.
    private static OrleansTransactionInDoubtException DeliveredTwice(
        TransactionRequestBase request, Guid number) => new(
        number.ToString(),
        $"{request.GetInterfaceName()}.{request.GetMethodName()} was delivered twice, because a connection broke while "
        + "it was sent. It has run once, and how that ended is in the answer to the first delivery, which may have "
        + "been lost.",
        null);

    private CallRun RunOf(SiloEngine engine, TransactionRequestBase request, IGrainContext grain)
    {
        var method = TransactionalMethod.Of(request);
        var recordsCalls = silo.Traces.RecordsCalls;
        var arguments = method.IsRetryOff && !MayRunDry(method) && !recordsCalls
            ? null
            : RequestArguments.Keep(request, method, copier);
        return new(engine, grain, request, arguments)
        {
            Call = recordsCalls ? new TracedRequest(request, grain, arguments, serializer) : null,
            GrainTurn = KeepsTurn(request, grain) ? new RootTurn(engine, grain, IsReadOnly(request)) : null,
        };
    }

    private bool MayRunDry(TransactionalMethod method) =>
        method.AllowsReconnaissance || silo.Limits.DryRunsByDefault;

    // Completes in the grain's turn.
    private ValueTask RunAsync(
        CallRun run, TransactionRequestBase request, IGrainContext grain, bool mayWait, long since, TimeSpan waited)
    {
        var method = TransactionalMethod.Of(request);
        var mayRunDry = MayRunDry(method);
        var transaction = new TransactionRequest
        {
            Type = method.Element.Name,
            IsReadOnly = IsReadOnly(request),
            MaxAttempts = method.IsRetryOff ? 1 : 0,
            MayWaitToStart = mayWait,
            AllowsReconnaissance = mayRunDry,
            AccessSet = method.DeclaresAccesses ? accessSets.Of(request, grain) : null,
            CallKeys = mayRunDry && request is not IdempotentRequest
                ? new RequestKeys(request, grain, catalogue)
                : null,
            TimeoutMicroseconds = silo.Limits.TransactionTimeout(method.ResponseTimeout),
            SinceMicroseconds = since,
        };
        return admission.RunAsync(run, transaction, waited, method.Element, request.GetCancellationToken());
    }

    private async Task<Response> JoinAsync(TransactionCall call, TransactionRequestBase request, IGrainContext grain)
    {
        call.Arrive();
        if (call.Token is not { } token)
            throw new OrleansTransactionException(
                "A transaction's call has come from a silo or client that does not run Polyjuice. Two engines must not "
                + "share a cluster.");

        // It is for a call that starts a transaction.
        CallContext.Take(IdempotencyKey.Key);
        if (RequestContext.ReentrancyId == token.Key) RequestContext.ReentrancyId = Guid.Empty;

        // What has failed once has doomed the attempt.
        if (call.LastRun is { Failure: { } before }) return Response.FromException(before);
        var keepsTurn = KeepsTurn(request, grain);
        CallFrame? frame;
        TurnHold? hold = null;
        var engine = engines.Of(grain);
        token.Arrive(engine);
        using (engine.Turn.Enter())
        {
            frame = token.Enter(engine, TransactionalMethod.Of(request).Element, call.LastRun?.Frame);
            if (frame is not null && keepsTurn)
                hold = engine.GrainTurns.Hold(grain.GrainId, frame, token.Key, IsReadOnly(request));
        }

        if (frame is null) throw new SiloUnavailableException("The call's transaction has already ended.");
        token.HasSucceeded = false;
        Response? response = null;
        Exception? failure = null;
        try
        {
            CallScope.Current = new CallScope(engine, frame, grain);
            response = await request.Invoke();
            failure = CallRun.FailureOf(response);
        }
        catch (Exception exception)
        {
            failure = exception;
        }

        byte[]? report = null;
        using (engine.Turn.Enter())
        {
            frame.Exit(failure);
            if (hold is not null) engine.GrainTurns.Release(grain.GrainId, hold);
            if (!token.IsLocal) report = CallReport.Write(frame);
        }

        if (token.IsFromBeside(engine)) (token.Report, report) = (report, null);

        call.LastRun = new(frame, failure);
        if (response is TransactionResponse { TransactionInfo: { } info } whole)
        {
            // On its own silo the caller has all that it needs in the token.
            if (failure is null && report is null && TransactionInfos.IsPlain(info))
            {
                token.HasSucceeded = true;
                return whole.InnerResponse;
            }

            if (report is not null) whole.TransactionInfo = info = CallReport.Add(info, report);

            // Callers take the first exception that they hear of for the cause.
            if (failure is TransactionDoomedException) info.OriginalException = null;
        }

        if (failure is not null && (response is null || filters.AreAround(grain)))
        {
            // Filters see an exception only if the answer is one. It has no room for a report, which the caller asks
            // for.
            if (report is not null) engine.Reports.Keep(new(token.Caller), frame, report);
            return Response.FromException(failure);
        }

        return response!;
    }

    private bool KeepsTurn(TransactionRequestBase request, IGrainContext grain) =>
        keepers.KeepTurn(grain.GrainId.Type) && !request.Options.HasFlag(InvokeMethodOptions.AlwaysInterleave);

    private static bool IsReadOnly(TransactionRequestBase request) =>
        request.Options.HasFlag(InvokeMethodOptions.ReadOnly);
}
