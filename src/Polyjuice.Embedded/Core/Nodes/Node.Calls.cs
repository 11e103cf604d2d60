using Orleans;
using Orleans.Runtime;
using Polyjuice.Embedded.Invocation;
using Polyjuice.Embedded.Serialization;
using Polyjuice.Execution;

namespace Polyjuice.Embedded.Core;

internal abstract partial class Node
{
    private static readonly SendOrPostCallback s_sweep = static state => ((Node)state!).Sweep();

    private bool _isSweepScheduled;

    /// <summary>Makes a call from code that runs on this node's loop.</summary>
    public Task<TResult> Call<TResult>(CallContext? context, GrainReference target, Invokable<TResult> call)
    {
        if (call.Method.IsOneWay)
        {
            Begin(context, target, call, null);
            return Task.FromResult<TResult>(default!);
        }

        var pending = new PendingCall<TResult>(call, TaskCreationOptions.None);
        Begin(context, target, call, pending);
        return pending.Task;
    }

    /// <summary>Starts a call; whatever goes wrong ends the pending call, if anyone waits.</summary>
    /// <param name="context">The caller's.</param>
    /// <param name="target">The grain.</param>
    /// <param name="call">The call; its arguments are still the caller's.</param>
    /// <param name="pending">Who waits; none for one-way calls.</param>
    public void Begin(CallContext? context, GrainReference target, Invokable call, PendingCall? pending)
    {
        try
        {
            if (call.CancellationToken.IsCancellationRequested)
            {
                pending?.SetCanceled(call.CancellationToken);
                return;
            }

            if (pending is not null)
            {
                pending.Caller = (object?)context?.Activation ?? this;
                pending.Outgoing = Announce(context?.Frame, call.Method);
                pending.Deadline = Loop.Now + Runtime.ResponseTimeoutOf(call.Method);
            }

            Route(context, target, call, pending);
            if (pending is null || pending.IsCompleted) return;
            if (call.CancellationToken.CanBeCanceled) ListenForCancellation(pending);
            if (!_isSweepScheduled) ScheduleSweep();
        }
        catch (Exception exception)
        {
            if (pending is null) HostLog.OneWayFailed(Logger, exception, target.Id);
            else Fail(pending, exception);
        }
    }

    /// <summary>Ends a call with its answer.</summary>
    protected void Succeed(PendingCall pending)
    {
        Pending.Remove(pending);
        pending.Registration.Dispose();
        pending.SetResult();
    }

    /// <summary>Ends a call with an exception that the callee has answered; the engine has been told.</summary>
    protected void EndWith(PendingCall pending, Exception exception)
    {
        Pending.Remove(pending);
        pending.Registration.Dispose();
        pending.SetException(exception);
    }

    /// <summary>Ends a call whose answer will not be seen.</summary>
    protected void Fail(PendingCall pending, Exception exception)
    {
        if (pending.IsCompleted) return;
        pending.Outgoing?.Fail();
        EndWith(pending, exception);
    }

    /// <summary>Makes a call on this node if it owns the grain.</summary>
    /// <returns>False when the grain is elsewhere.</returns>
    protected abstract bool TryCallLocally(CallContext? context, GrainReference target, Invokable call, PendingCall? pending);

    private void Route(CallContext? context, GrainReference target, Invokable call, PendingCall? pending)
    {
        Runtime.Resolve(target);
        if (TryCallLocally(context, target, call, pending)) return;
        var entry = Directory[target.Partition];
        if (entry is { IsServing: true, Owner: { } owner } && !ReferenceEquals(owner, this))
        {
            var buffer = BufferTo(owner);
            if (pending is not null) pending.Destination = owner.Id;
            WriteRequest(buffer, context, target, call, pending);
            return;
        }

        // Nobody serves the partition: the arguments are copied, because the caller may change its own meanwhile.
        var copy = call.Copy();
        copy.CancellationToken = call.CancellationToken;
        if (pending is not null) Pending.AddParked(pending);
        Park(new ParkedCall(context, target, copy, pending));
    }

    // Which methods the ambient transaction flows into, and where it must (not) be there: as in Orleans.
    private static OutgoingCall? Announce(CallFrame? frame, GrainMethodDescriptor method)
    {
        switch (method.Transaction)
        {
            case TransactionOption.Join when frame is null:
                throw new NotSupportedException($"{method.PathElement} has TransactionOption.Join: it cannot be called outside of a transaction.");
            case TransactionOption.NotAllowed when frame is not null:
                throw new NotSupportedException($"{method.PathElement} has TransactionOption.NotAllowed: it cannot be called within a transaction.");
            case TransactionOption.Join or TransactionOption.CreateOrJoin or TransactionOption.Supported:
                return frame?.BeginCall();
            default:
                return null;
        }
    }

    private void ListenForCancellation(PendingCall pending) =>
        pending.Registration = pending.Call.CancellationToken.UnsafeRegister(
            static state => ((PendingCall)state!).Node!.Loop.Post(s_cancel, state), pending);

    private static readonly SendOrPostCallback s_cancel = static state => ((PendingCall)state!).Node!.Cancel((PendingCall)state);

    private void Cancel(PendingCall pending)
    {
        if (pending.IsCompleted) return;
        if (pending.LocalRequest is { } request) request.Cancellation?.Cancel();
        else if (Directory.Find(pending.Destination) is { } destination && !ReferenceEquals(destination, this)) WriteCancel(BufferTo(destination), pending);

        // A transaction's caller wants to know whether it committed, so it waits for the answer; others end at once.
        if (pending.Call.Method.Transaction is not null) return;
        Pending.Remove(pending);
        pending.SetCanceled(pending.Call.CancellationToken);
    }

    private void ScheduleSweep()
    {
        _isSweepScheduled = true;
        Loop.ScheduleBackground(Loop.UtcMicroseconds + Runtime.SweepMicroseconds, s_sweep, this);
    }

    private void Sweep()
    {
        _isSweepScheduled = false;
        var now = Loop.UtcMicroseconds;
        foreach (var late in Pending.Where(call => call.Deadline <= now))
        {
            Fail(late, new TimeoutException(
                $"{late.Call.Method.PathElement} did not answer within {Runtime.ResponseTimeoutOf(late.Call.Method) / 1_000} ms."));
        }

        if (!Pending.IsEmpty) ScheduleSweep();
    }
}
