using Polyjuice.Contracts;

namespace Polyjuice.Agents;

/// <summary>A call's other end, on another node.</summary>
/// <param name="node">That node.</param>
/// <param name="callId">The call's number there.</param>
internal sealed class RemoteCaller(NodeId node, long callId)
{
    public NodeId Node { get; } = node;

    public long CallId { get; } = callId;

    /// <summary>How far this call has got.</summary>
    public int Reached { get; set; }

    /// <summary>How far the caller's node was told that this call has got.</summary>
    public int LastReported { get; set; }
}
