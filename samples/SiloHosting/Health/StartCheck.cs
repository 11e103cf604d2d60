using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Hosting;

namespace SiloHosting.Health;

/// <summary>
/// Whether the host's start has ended: hosted services that come after the silo must have started, too.
/// </summary>
internal sealed class StartCheck(IHostApplicationLifetime lifetime) : IHealthCheck
{
    /// <inheritdoc/>
    public Task<HealthCheckResult> CheckHealthAsync(
        HealthCheckContext context, CancellationToken cancellationToken = default) =>
        Task.FromResult(lifetime.ApplicationStarted.IsCancellationRequested
            ? HealthCheckResult.Healthy()
            : HealthCheckResult.Unhealthy("starting"));
}
