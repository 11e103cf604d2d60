using Microsoft.Extensions.Logging;
using Orleans;
using Orleans.Runtime;
using Polyjuice.Policies;

namespace Polyjuice.Orleans.Silos;

/// <summary>
/// Warns, by their names, about transaction types of the policy in force that nobody can start: that of the silo's
/// start, and each that is swapped in. They are not refused: in a rollout, a table may come before the silos that its
/// types are of.
/// </summary>
internal sealed class PolicyTypesWatch(PolicyStore policies, ITransactionTypes known, ILoggerFactory loggers)
    : ILifecycleParticipant<ISiloLifecycle>
{
    /// <summary>So many types are named in one line at the most.</summary>
    private const int NamedMax = 20;

    private readonly ILogger _logger = loggers.CreateLogger("Polyjuice.Orleans");

    /// <inheritdoc/>
    public void Participate(ISiloLifecycle lifecycle) => lifecycle.Subscribe(
        nameof(PolicyTypesWatch),
        ServiceLifecycleStage.Active,
        _ =>
        {
            policies.Swapped += Look;
            Look(policies.History[^1]);
            return Task.CompletedTask;
        },
        _ =>
        {
            policies.Swapped -= Look;
            return Task.CompletedTask;
        });

    private void Look(PolicyInForce policy)
    {
        var unknown = PolicyTypes.UnknownIn(policy.Policy, known);
        if (unknown.Count == 0) return;
        var names = string.Join(", ", unknown.Take(NamedMax))
            + (unknown.Count > NamedMax ? $" and {unknown.Count - NamedMax} more" : "");
        if (unknown.Count == PolicyTypes.NamedBy(((DocumentPolicy)policy.Policy).Document).Count)
            HostLog.NoTypeKnown(_logger, policy.Policy.Name, policy.Version, names);
        else
            HostLog.TypesUnknown(_logger, policy.Policy.Name, policy.Version, names);
    }
}
