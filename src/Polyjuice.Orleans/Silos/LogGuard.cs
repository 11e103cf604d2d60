using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Orleans;
using Orleans.Configuration;
using Orleans.Runtime;

namespace Polyjuice.Orleans.Silos;

/// <summary>
/// Keeps silos whose logs are not the same store out of one cluster: each would serve its partitions from a history of
/// its own, and updates would be gone whenever a partition moves. A silo asks the others before it becomes active,
/// those that are starting as well: of two that start at the same time at least one finds the other in the membership
/// table, and the later of the two goes.
/// </summary>
internal sealed class LogGuard(
    SiloIdentity self, SiloLogs logs, EngineServiceClient peers, IClusterMembershipService membership,
    IHostApplicationLifetime host, ILoggerFactory loggers) : ILifecycleParticipant<ISiloLifecycle>
{
    /// <summary>How long another silo has for its answer. One that has died may still be in the table.</summary>
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(5);

    private readonly ILogger _logger = loggers.CreateLogger("Polyjuice.Orleans");
    private readonly CancellationTokenSource _stopping = new();
    private readonly HashSet<SiloAddress> _compared = [];

    /// <inheritdoc/>
    public void Participate(ISiloLifecycle lifecycle)
    {
        lifecycle.Subscribe(nameof(LogGuard), ServiceLifecycleStage.BecomeActive - 9, CheckBeforeJoiningAsync);
        lifecycle.Subscribe(
            nameof(LogGuard),
            ServiceLifecycleStage.Active,
            _ =>
            {
                using (ExecutionContext.SuppressFlow()) Task.Run(FollowAsync, CancellationToken.None).Ignore();
                return Task.CompletedTask;
            },
            _ =>
            {
                _stopping.Cancel();
                return Task.CompletedTask;
            });
    }

    private async Task CheckBeforeJoiningAsync(CancellationToken cancellationToken)
    {
        await membership.Refresh(default, cancellationToken).ConfigureAwait(false);
        var others = membership.CurrentSnapshot.Members.Values.Where(
            member => member.Status is SiloStatus.Joining or SiloStatus.Active)
            .ToList();
        foreach (var (silo, theirs) in await Task.WhenAll(
            others.Select(member => CompareAsync(member.SiloAddress, cancellationToken)))
            .ConfigureAwait(false))
        {
            if (theirs is null
                || (membership.CurrentSnapshot.Members[silo].Status != SiloStatus.Active && !IsLaterThan(silo)))
                continue;
            throw new OrleansConfigurationException(
                $"{silo} keeps its transaction logs in {theirs.Location}, and this silo in "
                + $"{logs.Place.Location}. Silos "
                + "of one cluster must share their logs, or each keeps a history of its own. Give all silos one store "
                + "that processes can share "
                + "(AddPostgreSqlLog, AddRedisLog, AddAzureBlobLog), or run one silo, or give this silo's cluster an "
                + "id of its own.");
        }
    }

    private async Task FollowAsync()
    {
        try
        {
            await foreach (var snapshot in membership.MembershipUpdates.WithCancellation(_stopping.Token)
                .ConfigureAwait(false))
            {
                foreach (var member in snapshot.Members.Values)
                {
                    if (member.Status != SiloStatus.Active
                        || await CompareAsync(
                            member.SiloAddress, _stopping.Token).ConfigureAwait(false) is not (var silo, { } theirs))
                        continue;
                    HostLog.MixedLogs(_logger, silo, theirs.Location, logs.Place.Location);
                    if (IsLaterThan(silo))
                    {
                        host.StopApplication();
                        return;
                    }

                    await membership.TryKill(silo).ConfigureAwait(false);
                }
            }
        }
        catch (OperationCanceledException)
        {
            // The silo stops.
        }
        catch (Exception exception)
        {
            HostLog.MembershipFailed(_logger, exception);
        }
    }

    /// <summary>Asks a silo where its logs are, unless it has been found to be right.</summary>
    /// <returns>The silo, and where its logs are if that is another place.</returns>
    private async Task<(SiloAddress Silo, LogPlace? Other)> CompareAsync(
        SiloAddress silo, CancellationToken cancellationToken)
    {
        lock (_compared)
        {
            if (silo.Equals(self.Silo) || _compared.Contains(silo)) return (silo, null);
        }

        try
        {
            var theirs = await peers.FindLogsAsync(silo).WaitAsync(s_patience, cancellationToken).ConfigureAwait(false);
            if (logs.Place.IsOtherThan(theirs)) return (silo, theirs);
            lock (_compared) _compared.Add(silo);
        }
        catch (Exception exception)
            when (exception is not OperationCanceledException || !cancellationToken.IsCancellationRequested)
        {
            // It has died, or is not as far yet; then it asks this one.
            // Whoever stays is asked again when membership changes.
            HostLog.LogsNotCompared(_logger, exception, silo);
        }

        return (silo, null);
    }

    private bool IsLaterThan(SiloAddress other) => self.Silo.Generation != other.Generation
        ? self.Silo.Generation > other.Generation
        : self.Silo.CompareTo(other) > 0;
}
