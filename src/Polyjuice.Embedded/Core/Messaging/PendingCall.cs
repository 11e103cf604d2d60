using Polyjuice.Embedded.Invocation;
using Polyjuice.Execution;
using Polyjuice.Hosting;

namespace Polyjuice.Embedded.Core;

/// <summary>A call whose caller waits, at the caller's node. Used on its loop; completed once.</summary>
internal abstract class PendingCall(Invokable call)
{
    /// <summary>Who called, once the call has begun: an activation, or the node for callers outside of grains.</summary>
    public object? Caller { get; set; }

    /// <summary>The node whose loop the caller waits on, once the call has begun.</summary>
    public Node? Node => Caller is Activation activation ? activation.Silo : (Node?)Caller;

    /// <summary>The call, to put the result in.</summary>
    public Invokable Call { get; } = call;

    /// <summary>Its number at the caller's node, once it is under way.</summary>
    public long Correlation { get; set; }

    /// <summary>The silo that shall answer; the caller's own for a local call, none while the call waits for an owner.</summary>
    public NodeId Destination { get; set; }

    /// <summary>How often it was sent on to another silo before it ran.</summary>
    public byte Hops { get; set; }

    /// <summary>When the caller stops waiting, on the clock.</summary>
    public long Deadline { get; set; }

    /// <summary>The engine's side of a call inside a transaction.</summary>
    public OutgoingCall? Outgoing { get; set; }

    /// <summary>A local callee's request, to cancel it.</summary>
    public Request? LocalRequest { get; set; }

    /// <summary>The caller's token's registration.</summary>
    public CancellationTokenRegistration Registration { get; set; }

    /// <summary>Whether the caller has its outcome.</summary>
    public bool IsCompleted { get; protected set; }

    /// <summary>Its neighbours among the node's pending calls.</summary>
    public PendingCall? Previous { get; set; }

    /// <inheritdoc cref="Previous"/>
    public PendingCall? Next { get; set; }

    /// <summary>Hands over the result that <see cref="Call"/> holds; continuations run here.</summary>
    public abstract void SetResult();

    /// <summary>Hands over an exception; continuations run here.</summary>
    public abstract void SetException(Exception exception);

    /// <summary>Ends the caller's wait as cancelled; continuations run here.</summary>
    public abstract void SetCanceled(CancellationToken cancellationToken);
}

/// <inheritdoc/>
/// <param name="call">The call.</param>
/// <param name="options">Whether continuations may run on the thread that completes the call: only when that is their own loop's.</param>
internal sealed class PendingCall<TResult>(Invokable<TResult> call, TaskCreationOptions options) : PendingCall(call)
{
    private readonly TaskCompletionSource<TResult> _source = new(options);

    public Task<TResult> Task => _source.Task;

    /// <inheritdoc/>
    public override void SetResult()
    {
        IsCompleted = true;
        _source.TrySetResult(((Invokable<TResult>)Call).Result);
    }

    /// <inheritdoc/>
    public override void SetException(Exception exception)
    {
        IsCompleted = true;
        _source.TrySetException(exception);
    }

    /// <inheritdoc/>
    public override void SetCanceled(CancellationToken cancellationToken)
    {
        IsCompleted = true;
        _source.TrySetCanceled(cancellationToken);
    }
}
