using Polyjuice.Contracts;

namespace Polyjuice.Tracing;

/// <summary>Who records.</summary>
/// <param name="Node">The node.</param>
/// <param name="Name">Its name for people.</param>
/// <param name="ArgumentEncoding">How it encodes arguments of calls; empty if it does not.</param>
internal sealed record RecorderIdentity(NodeId Node, string Name, string ArgumentEncoding);
