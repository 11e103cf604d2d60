using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Options;
using Orleans.Configuration;
using Polyjuice.Orleans.Silos;

namespace Polyjuice.Orleans.Health;

/// <summary>
/// Whether a restart would not help. A lost membership or an unreachable store is no reason for one: other silos have
/// the same trouble, and Orleans ends a silo that was declared dead itself.
/// </summary>
internal sealed class LivenessCheck(
    IObservedSilo silo, IEnginePulse pulse, IOptions<PolyjuiceHealthOptions> options) : IHealthCheck
{
    /// <inheritdoc/>
    public async Task<HealthCheckResult> CheckHealthAsync(
        HealthCheckContext context, CancellationToken cancellationToken = default)
    {
        var data = new Dictionary<string, object>();
        if (silo.Statistics is { } statistics)
            (data["attempts"], data["commits"]) = (statistics.Attempts, statistics.Commits);
        var unwell = await EngineAnswer.AskAsync(silo, pulse, options.Value, context, data, cancellationToken)
            .ConfigureAwait(false);
        return unwell ?? HealthCheckResult.Healthy("alive", data);
    }
}
