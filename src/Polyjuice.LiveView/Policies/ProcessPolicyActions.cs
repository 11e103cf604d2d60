using Microsoft.Extensions.Logging;
using Polyjuice.Diagnostics;
using Polyjuice.Policies;

namespace Polyjuice.LiveView.Policies;

/// <summary>
/// The policies of this process alone: a rollback is a swap of its own
/// <see cref="PolicyStore"/>, which other processes do not follow. Thread-safe.
/// </summary>
internal sealed partial class ProcessPolicyActions(
    PolicyStore policies, IEngineInspection inspection, PolicyDates dates,
    ILogger<ProcessPolicyActions> logger) : IPolicyActions
{
    private readonly Lock _gate = new();

    /// <inheritdoc/>
    public ValueTask<IReadOnlyList<PolicyVersion>> GetHistoryAsync(CancellationToken cancellationToken)
    {
        dates.Look();
        return new([.. inspection.Policies.Select(Describe)]);
    }

    /// <inheritdoc/>
    public ValueTask<PolicyVersion> RollBackAsync(PolicyRollback rollback, CancellationToken cancellationToken)
    {
        // One at a time, so that a note is not given to another one's version.
        lock (_gate)
        {
            var history = inspection.Policies;
            var target = history.FirstOrDefault(policy => policy.Version == rollback.To)
                ?? throw new PolicyActionException(
                    $"There is no version {rollback.To} in this process's history, which goes back to "
                    + $"{history[0].Version}.");
            var current = history[^1].Version;
            if (rollback.From != current || policies.TrySwap(target.Policy, current) is null)
                throw new PolicyActionException(
                    $"Version {rollback.From} is not in force any more. Look at what is, and decide again.");
            var swapped = current + 1;
            dates.Look();
            dates.Note(swapped, $"back to version {rollback.To} by {rollback.By}: {rollback.Reason}");
            RolledBack(logger, rollback.By, target.Policy.Name, rollback.To, swapped, rollback.Reason);
            return new(Describe(new PolicyInForce(swapped, target.Policy)));
        }
    }

    private PolicyVersion Describe(PolicyInForce policy)
    {
        var (since, note) = dates.Of(policy.Version);
        return new PolicyVersion(policy.Version, policy.Policy.Name, since, note, policy.Policy);
    }

    [LoggerMessage(
        1, LogLevel.Warning,
        "{By} has put policy {Policy} of version {Earlier} in force again, as version {Version}: {Reason}")]
    private static partial void RolledBack(
        ILogger logger, string by, string policy, long earlier, int version, string reason);
}
