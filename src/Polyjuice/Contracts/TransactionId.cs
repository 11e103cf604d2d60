namespace Polyjuice.Contracts;

/// <summary>
/// One attempt at a transaction. Every attempt gets a number of its own from its agent, so that an attempt, its
/// versions and its records are never mistaken for those of an earlier one (rule R1a).
/// </summary>
/// <param name="Node">The agent's node.</param>
/// <param name="Sequence">Increases with every attempt that the agent starts; at least 1.</param>
internal readonly record struct TransactionId(NodeId Node, long Sequence) : IComparable<TransactionId>
{
    /// <inheritdoc/>
    public int CompareTo(TransactionId other)
    {
        var byNode = Node.CompareTo(other.Node);
        return byNode != 0 ? byNode : Sequence.CompareTo(other.Sequence);
    }

    /// <inheritdoc/>
    public override int GetHashCode() =>
        (int)((ulong)((Sequence * -7046029254386353131L) ^ (Node.Value * 0x2545F4914F6CDD1DL)) >> 32);

    /// <inheritdoc/>
    public override string ToString() => $"{Node}.{Sequence}";
}
