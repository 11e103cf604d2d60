using Polyjuice.Contracts;
using Polyjuice.Policies;

namespace Polyjuice.Diagnostics;

/// <summary>
/// What may be seen of the engines of one process from outside: reads what they publish, and never makes one wait.
/// Thread-safe. <see cref="EngineInspection"/> is it for every host.
/// </summary>
internal interface IEngineInspection
{
    /// <summary>
    /// The policies that were in force, the oldest first; the last
    /// one is. At most <see cref="PolicyStore.HistoryMax"/>.
    /// </summary>
    IReadOnlyList<PolicyInForce> Policies { get; }

    /// <summary>
    /// A policy with every row spelled out for all sites that its catalogue or this process knows, or
    /// <see langword="null"/> if it is not made of a document.
    /// </summary>
    /// <param name="policy">The policy.</param>
    PolicyDocument? Describe(IPolicyCompiler policy);

    /// <summary>
    /// Each engine's latest report of its hottest grains. Engines count conflicts only while somebody asks: the first
    /// call gets nothing, and calls more than ten seconds apart get nothing either.
    /// </summary>
    IReadOnlyList<KeyValuePair<NodeId, ConflictReport>> Conflicts();
}
