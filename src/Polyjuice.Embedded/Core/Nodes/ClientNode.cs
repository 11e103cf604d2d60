using Polyjuice.Embedded.Invocation;
using Polyjuice.Hosting;

namespace Polyjuice.Embedded.Core;

/// <summary>The node that code outside of silos calls grains through. It holds no grains; its engine runs clients' transactions.</summary>
internal sealed class ClientNode(NodeId id, CallRuntime runtime) : Node(id, "client", runtime)
{
    /// <inheritdoc/>
    protected override bool IsClient => true;

    /// <inheritdoc/>
    protected override bool TryCallLocally(CallContext? context, GrainReference target, Invokable call, PendingCall? pending) => false;

    /// <inheritdoc/>
    protected override void ReceiveRequest(ReadOnlySpan<byte> message) =>
        throw new InvalidOperationException("A client was sent a grain call.");

    /// <inheritdoc/>
    protected override void ReceiveCancel(NodeId caller, long correlation)
    {
    }
}
