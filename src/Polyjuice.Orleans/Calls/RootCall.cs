using System.Diagnostics;
using System.Runtime.ExceptionServices;
using Orleans;
using Orleans.Runtime;
using Orleans.Serialization.Invocation;
using Orleans.Transactions;
using Polyjuice.Contracts;
using Polyjuice.Orleans.Transactions;
using OrleansContext = Orleans.Transactions.TransactionContext;

namespace Polyjuice.Orleans.Calls;

/// <summary>
/// A call that starts a transaction, as its caller sees it. A transaction that a grain with transactional states starts
/// itself ends when the grain's log partition goes to another silo: the grain cannot go on where it is, and does not go
/// while the call is running. So the call is made again, and finds the grain in its new place. So is a call that a silo
/// rejected, or whose transaction it aborted, because it is stopping: nothing of it has happened. A call with an
/// idempotency key is made again after an end in doubt, too.
/// </summary>
internal static class RootCall
{
    /// <summary>
    /// A grain moves once for each change of membership: more than this in one call is another fault.
    /// </summary>
    public const int RepeatsMax = 4;

    /// <summary>
    /// Before the first repetition of a call that a silo did not take; four times as long before each further one. A
    /// silo that ends can't be reached before the others know that it has ended, and Orleans does not try to for a
    /// second (<c>ConnectionRetryDelay</c>): all of these pauses together are longer.
    /// </summary>
    public static TimeSpan Pause { get; } = TimeSpan.FromMilliseconds(20);

    /// <summary>Whether the call starts a transaction when none is ambient.</summary>
    public static bool Is(TransactionRequestBase request) =>
        request.TransactionOption is TransactionOption.Create or TransactionOption.CreateOrJoin;

    /// <summary>
    /// Makes the call when it may be sent, and again while its grain moves: it is as old then as now. All of it ends in
    /// the time that its caller has for one call.
    /// </summary>
    /// <param name="context">The call.</param>
    /// <param name="call">What is called.</param>
    /// <param name="responseTimeout">
    /// How long a call takes at the most whose method says nothing else; 0 or less for as long as it likes.
    /// </param>
    /// <param name="unanswered">Those that are not answered, among which it has to have a place.</param>
    /// <param name="mayWait">Whether it may be told to wait for one. One that others wait for must not be.</param>
    /// <param name="since">Since when it is wanted, if that is earlier than now (<see cref="CallAge"/>).</param>
    public static async Task InvokeAsync(
        IOutgoingGrainCallContext context, TransactionCall call, TimeSpan responseTimeout,
        UnansweredCalls unanswered, bool mayWait, long since = 0)
    {
        var began = Stopwatch.GetTimestamp();
        if (since == 0) since = CallAge.Now;
        var entering = unanswered.EnterAsync(mayWait, since: 0, call.GetCancellationToken());
        if (await entering.ConfigureAwait(false) is not { } held) throw TransactionAdmission.Overload();
        var time = new CallTime(call, responseTimeout, began);
        if (held > TimeSpan.Zero && time.Keep() <= TimeSpan.Zero)
        {
            unanswered.Leave(mayWait);
            throw TransactionAdmission.Overload();
        }

        bool? hasWaited = null;
        try
        {
            var sent = new SentCall(CallNumber.Next());
            Failed first;
            try
            {
                await SendAsync(context, call, sent).ConfigureAwait(false);
                first = new(FailureOf(context.Response), WasThrown: false);
            }
            catch (Exception exception)
            {
                first = new(exception, WasThrown: true);
            }

            // What few calls need is not to be a part of this method's state.
            hasWaited = first.Failure is null
                ? WaitMark.Take(context)
                : await RepeatAsync(context, call, sent, first, time, since).ConfigureAwait(false);
        }
        catch (Exception exception) when (CallFailures.IsOverload(exception))
        {
            // A silo that has refused it would have had it wait.
            hasWaited = true;
            throw;
        }
        finally
        {
            unanswered.Leave(mayWait, hasWaited);
        }
    }

    /// <summary>The call again, after it has failed.</summary>
    /// <returns>Whether its transaction has waited for long at its silo, if that is known.</returns>
    private static async Task<bool?> RepeatAsync(
        IOutgoingGrainCallContext context, TransactionCall call, SentCall sent, Failed last, CallTime time, long since)
    {
        var pause = Pause;
        for (var repeats = 0; ; repeats++)
        {
            var failure = last.Failure!;
            if (repeats == RepeatsMax || !MayRepeat(failure, call)
                || time.Left is { } left && left <= (HasMoved(failure) ? TimeSpan.Zero : pause))
            {
                if (sent.MayHaveRun(failure))
                {
                    context.Response = null;
                    throw InDoubt(call, sent.Number, failure);
                }

                if (last.WasThrown) ExceptionDispatchInfo.Throw(failure);
                return CallFailures.IsOverload(failure) ? true : null;
            }

            // It is the same call still: another copy of its message may
            // have arrived, where it was refused or elsewhere.
            sent = sent.Again(failure);
            if (!HasMoved(failure))
            {
                await Task.Delay(pause, call.GetCancellationToken()).ConfigureAwait(false);
                pause *= 4;
            }

            time.Keep();
            CallAge.Carry(since);
            try
            {
                await SendAsync(context, call, sent).ConfigureAwait(false);
                last = new(FailureOf(context.Response), WasThrown: false);
                if (last.Failure is null) return WaitMark.Take(context);
            }
            catch (Exception exception)
            {
                last = new(exception, WasThrown: true);
            }
        }
    }

    // What Orleans' request does around it is for a call that is made within a transaction and does not belong to it.
    private static Task SendAsync(IOutgoingGrainCallContext context, TransactionCall call, SentCall sent)
    {
        call.Take(sent);
        return OrleansContext.GetTransactionInfo() is null
            ? context.Invoke()
            : ((IOutgoingGrainCallFilter)call.Request).Invoke(context);
    }

    /// <summary>Whether a silo has refused the call, which it had received: nothing of it has happened there.</summary>
    public static bool IsRefusal(Exception? failure) =>
        failure is TransactionConflictException { Reason: AbortReason.OwnerChanged or AbortReason.WrongOwner
            or AbortReason.Shutdown };

    private static OrleansTransactionInDoubtException InDoubt(
        TransactionRequestBase request, Guid number, Exception failure) => new(
        number.ToString(),
        $"{request.GetInterfaceName()}.{request.GetMethodName()} was sent again, because a connection broke while it "
        + "was sent. The second copy has failed; the first one may have run.",
        failure);

    // A silo of Orleans' own engine answers so.
    private static Exception? FailureOf(Response? response) =>
        response is TransactionResponse { TransactionInfo: not null } answer
            ? answer.GetException()
            : response?.Exception;

    // Such a grain is elsewhere already.
    private static bool HasMoved(Exception failure) =>
        failure is TransactionConflictException { Reason: not AbortReason.Shutdown };

    // Not when a silo has become unavailable while the call was there: it may have committed. And a silo that has too
    // much to do is left alone.
    private static bool MayRepeat(Exception exception, TransactionRequestBase request) =>
        !TransactionalMethod.Of(request).IsRetryOff && exception switch
        {
            TransactionConflictException => IsRefusal(exception),

            // With a key it has its effect once however often it runs.
            OrleansTransactionInDoubtException or SiloUnavailableException
                when IdempotencyKey.Current is not null => true,
            _ => CallFailures.HasNotRun(exception) && !CallFailures.IsOverload(exception),
        };

    /// <summary>How a call has failed: its answer says so, or there is none.</summary>
    private readonly record struct Failed(Exception? Failure, bool WasThrown);

    /// <summary>The time that a caller has for a call, however often it is made.</summary>
    private readonly struct CallTime(TransactionCall call, TimeSpan responseTimeout, long began)
    {
        /// <summary>What is left of it; <see langword="null"/> for as long as it likes.</summary>
        public TimeSpan? Left => (call.Request.GetDefaultResponseTimeout() ?? responseTimeout) is { Ticks: > 0 } most
            ? most - Stopwatch.GetElapsedTime(began)
            : null;

        /// <summary>Has the call, when it is made next, take no longer.</summary>
        /// <returns>What is left.</returns>
        public TimeSpan? Keep()
        {
            var left = Left;
            if (left is not null) call.Left = left;
            return left;
        }
    }
}
