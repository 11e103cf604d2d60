using System.Diagnostics;
using Orleans;
using Orleans.Runtime;
using Orleans.Serialization.Invocation;
using Orleans.Transactions;
using Polyjuice.Contracts;
using Polyjuice.Orleans.Transactions;

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
    /// <param name="request">What is called.</param>
    /// <param name="responseTimeout">
    /// How long a call takes at the most whose method says nothing else; 0 or less for as long as it likes.
    /// </param>
    /// <param name="unanswered">Those that are not answered, among which it has to have a place.</param>
    /// <param name="mayWait">Whether it may be told to wait for one. One that others wait for must not be.</param>
    /// <param name="since">Since when it is wanted, if that is earlier than now (<see cref="CallAge"/>).</param>
    public static async Task InvokeAsync(
        IOutgoingGrainCallContext context, TransactionRequestBase request, TimeSpan responseTimeout,
        UnansweredCalls unanswered, bool mayWait, long since = 0)
    {
        var began = Stopwatch.GetTimestamp();
        if (since == 0) since = CallAge.Now;
        if (await unanswered.EnterAsync(mayWait, since: 0, request.GetCancellationToken()) is not { } held)
            throw TransactionAdmission.Overload();
        var time = new CallTime(context, request, responseTimeout, began);
        if (held > TimeSpan.Zero && time.Keep() <= TimeSpan.Zero)
        {
            unanswered.Leave(mayWait);
            throw TransactionAdmission.Overload();
        }

        bool? hasWaited = null;
        try
        {
            hasWaited = await SendAsync(context, request, time, since);
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

    /// <summary>The call, and again.</summary>
    /// <returns>Whether its transaction has waited for long at its silo, if that is known.</returns>
    private static async Task<bool?> SendAsync(
        IOutgoingGrainCallContext context, TransactionRequestBase request, CallTime time, long since)
    {
        var pause = Pause;
        var sent = new SentCall(CallNumber.Next());
        var repeats = 0;
        for (; ; repeats++)
        {
            Exception? failure;
            if (repeats > 0) CallAge.Carry(since);
            sent.Carry();
            try
            {
                await ((IOutgoingGrainCallFilter)request).Invoke(context);
                failure = context.Response?.Exception;
                if (failure is null) return WaitMark.Take(context);
                if (IsLast(failure))
                {
                    if (!sent.MayHaveRun(failure)) return CallFailures.IsOverload(failure) ? true : null;
                    context.Response = null;
                    throw InDoubt(request, sent.Number, failure);
                }
            }
            catch (Exception exception) when (!IsLast(exception))
            {
                // Orleans' request throws what a transaction's answer holds.
                failure = exception;
            }
            catch (Exception exception) when (sent.MayHaveRun(exception))
            {
                throw InDoubt(request, sent.Number, exception);
            }

            // It is the same call still: another copy of its message may
            // have arrived, where it was refused or elsewhere.
            sent = sent.Again(failure);
            if (!HasMoved(failure))
            {
                await Task.Delay(pause, request.GetCancellationToken());
                pause *= 4;
            }

            time.Keep();
        }

        bool IsLast(Exception failure) => repeats == RepeatsMax || !MayRepeat(failure, request) || !HasTime(failure);

        bool HasTime(Exception failure) =>
            time.Left is not { } left || left > (HasMoved(failure) ? TimeSpan.Zero : pause);
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

    /// <summary>The time that a caller has for a call, however often it is made.</summary>
    private readonly struct CallTime(
        IOutgoingGrainCallContext context, TransactionRequestBase request, TimeSpan responseTimeout, long began)
    {
        /// <summary>What is left of it; <see langword="null"/> for as long as it likes.</summary>
        public TimeSpan? Left => (request.GetDefaultResponseTimeout() ?? responseTimeout) is { Ticks: > 0 } most
            ? most - Stopwatch.GetElapsedTime(began)
            : null;

        /// <summary>Has the call, when it is made next, take no longer.</summary>
        /// <returns>What is left.</returns>
        public TimeSpan? Keep()
        {
            var left = Left;
            if (left is not null && context.Request is TransactionCall call) call.Left = left;
            return left;
        }
    }
}
