using Polyjuice.Wire;

namespace Polyjuice.Agents;

/// <summary>The votes of a transaction that wrote nothing: they go to its agent, because nobody else decides.</summary>
internal sealed class ReadVotes
{
    /// <summary>Partitions that have voted in this round.</summary>
    public readonly List<int> Voted = [];

    /// <summary>Dependencies that are not known to have committed.</summary>
    public readonly List<CommitDependency> Unresolved = [];
}
