using Microsoft.Extensions.Hosting;
using Polyjuice.Publishing.Following;

namespace Orleans.Hosting;

/// <summary>Follows as long as the host runs.</summary>
internal sealed class PolicyFollowing(PolicyFollower follower) : BackgroundService
{
    /// <inheritdoc/>
    protected override Task ExecuteAsync(CancellationToken stoppingToken) => follower.RunAsync(stoppingToken);
}
