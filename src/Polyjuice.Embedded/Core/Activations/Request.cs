using Polyjuice.Embedded.Invocation;
using Polyjuice.Execution;
using Polyjuice.Hosting;

namespace Polyjuice.Embedded.Core;

/// <summary>A grain call at the silo that runs it: waits for its activation's gate, runs, is answered. Loop only.</summary>
internal sealed class Request(Activation activation, Invokable call) : IGateEntrant
{
    /// <summary>The activation called; another one when the first went away before the request ran.</summary>
    public Activation Activation { get; set; } = activation;

    /// <summary>The call; its arguments are nobody else's, and after a transaction it holds the result.</summary>
    public Invokable Call { get; set; } = call;

    /// <summary>The caller's request context.</summary>
    public Dictionary<string, object?>? Values { get; init; }

    /// <summary>The caller, if it waits on this silo.</summary>
    public PendingCall? LocalCaller { get; init; }

    /// <summary>The node that waits for the answer, if it is another.</summary>
    public NodeId RemoteCaller { get; init; }

    /// <summary>The call's number there.</summary>
    public long Correlation { get; init; }

    /// <summary>Whether it came from a client and belongs to no transaction.</summary>
    public bool IsNew { get; init; }

    /// <summary>When it came here, on the loop's clock in microseconds. It may wait to be dispatched, for its activation, and at the gate.</summary>
    public required long ArrivedAt { get; set; }

    /// <summary>How often it was sent on to another silo before it came here.</summary>
    public byte Hops { get; init; }

    /// <summary>The transaction that the caller passed on.</summary>
    public CallFrame? Frame { get; init; }

    /// <summary>Cancels the call's token; null when the caller can't.</summary>
    public CancellationTokenSource? Cancellation { get; init; }

    /// <summary>The task of the call's body while it runs.</summary>
    public Task? Body { get; set; }

    /// <inheritdoc/>
    public bool IsInterleaving => Call.Method.IsAlwaysInterleave || Activation.Class.MayInterleave(Call.Method.MethodName);

    /// <inheritdoc/>
    public bool IsReadOnly => Call.Method.IsReadOnly;

    /// <inheritdoc/>
    public void Entered() => Activation.Run(this);

    /// <summary>The body has ended; called on the loop.</summary>
    public void BodyEnded() => Activation.BodyEnded(this);
}
