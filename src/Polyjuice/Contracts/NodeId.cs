namespace Polyjuice.Contracts;

/// <summary>
/// One incarnation of one engine: a silo (or a client that runs transactions) from its start to its end. A restarted
/// silo is another node, so that a message to, or a claim by, the earlier incarnation can never be taken for the new
/// one's.
/// </summary>
/// <param name="Value">Unique among all incarnations that ever shared the logs; greater than zero.</param>
internal readonly record struct NodeId(long Value) : IComparable<NodeId>
{
    /// <summary>No node.</summary>
    public static NodeId None => default;

    /// <summary>
    /// An agent of another transaction engine, known by what it left in a row: it will never act again.
    /// </summary>
    internal bool IsForeign => Value < 0;

    /// <inheritdoc/>
    public int CompareTo(NodeId other) => Value.CompareTo(other.Value);

    /// <inheritdoc/>
    public override string ToString() => $"n{Value}";
}
