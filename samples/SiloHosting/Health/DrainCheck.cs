using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Hosting;

namespace SiloHosting.Health;

/// <summary>
/// Whether the host has not been told to stop: from then on the silo finishes what it has, and is to get nothing new.
/// </summary>
internal sealed class DrainCheck(IHostApplicationLifetime lifetime) : IHealthCheck
{
    /// <inheritdoc/>
    public Task<HealthCheckResult> CheckHealthAsync(
        HealthCheckContext context, CancellationToken cancellationToken = default) =>
        Task.FromResult(lifetime.ApplicationStopping.IsCancellationRequested
            ? HealthCheckResult.Unhealthy("draining")
            : HealthCheckResult.Healthy());
}
