using Polyjuice.Contracts;
using Polyjuice.Policies;

namespace Polyjuice.Diagnostics;

/// <summary>
/// Looks at the engines that run by one <see cref="PolicyStore"/>,
/// which every silo has among its services. Thread-safe.
/// </summary>
/// <param name="policies">Their store.</param>
internal sealed class EngineInspection(PolicyStore policies) : IEngineInspection
{
    /// <inheritdoc/>
    public IReadOnlyList<PolicyInForce> Policies => policies.History;

    /// <inheritdoc/>
    public PolicyDocument? Describe(IPolicyCompiler policy) =>
        (policy as DocumentPolicy)?.Materialize(policies.Registry);

    /// <inheritdoc/>
    public IReadOnlyList<KeyValuePair<NodeId, ConflictReport>> Conflicts()
    {
        var reports = new List<KeyValuePair<NodeId, ConflictReport>>();
        foreach (var watch in policies.Watches)
        {
            watch.Ask();
            if (watch.Latest is { } report) reports.Add(new(watch.Node, report));
        }

        return reports;
    }
}
