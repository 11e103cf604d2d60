using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Orleans;
using Orleans.Configuration;
using Orleans.Metadata;
using Orleans.Runtime;
using Polyjuice.Orleans.Groups;
using Polyjuice.Orleans.Rows;

namespace Polyjuice.Orleans.Silos;

/// <summary>
/// Keeps two transaction engines out of one cluster: they would not see each other's locks and logs. Silos tell by
/// their grain manifests, where every class with transactional states says who runs it. The later of two silos that
/// differ goes: it does not start, or stops, if it is this one, and is declared dead if it is the other.
/// </summary>
internal sealed class EngineGuard(
    SiloIdentity self, IClusterManifestProvider manifests, IClusterMembershipService membership,
    IHostApplicationLifetime host, ILoggerFactory loggers) : ILifecycleParticipant<ISiloLifecycle>
{
    /// <summary>How long a silo that starts waits for what the others say of their grains.</summary>
    private static readonly TimeSpan s_manifestPatience = TimeSpan.FromSeconds(10);

    private readonly ILogger _logger = loggers.CreateLogger("Polyjuice.Orleans");
    private readonly CancellationTokenSource _stopping = new();
    private readonly HashSet<(SiloAddress Silo, GrainType Type)> _missing = [];
    private readonly HashSet<(SiloAddress Silo, GrainInterfaceType Interface)> _otherVersions = [];

    /// <inheritdoc/>
    public void Participate(ISiloLifecycle lifecycle)
    {
        lifecycle.Subscribe(nameof(EngineGuard), ServiceLifecycleStage.BecomeActive - 10, CheckBeforeJoiningAsync);
        lifecycle.Subscribe(
            nameof(EngineGuard),
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

    /// <summary>A grain type that another silo would run on another engine.</summary>
    /// <returns>None when the two agree.</returns>
    public static GrainType? Difference(GrainManifest own, GrainManifest other) =>
        FirstOf(own, other, static (ours, theirs) => PartitionPlacement.IsOf(ours) && !PartitionPlacement.IsOf(theirs));

    /// <summary>A grain type of which the other silo keeps a state elsewhere.</summary>
    /// <returns>None when the two agree.</returns>
    public static GrainType? StorageDifference(GrainManifest own, GrainManifest other) =>
        FirstOf(own, other, static (ours, theirs) => ours.Properties.Any(place =>
            place.Key.StartsWith(StateStorageProperties.Prefix, StringComparison.Ordinal)
            && theirs.Properties.TryGetValue(place.Key, out var elsewhere) && elsewhere != place.Value));

    /// <summary>A grain type of which the other silo's class declares another group.</summary>
    /// <returns>None when the two agree.</returns>
    public static GrainType? GroupDifference(GrainManifest own, GrainManifest other) =>
        FirstOf(own, other, static (ours, theirs) =>
            PartitionPlacement.IsOf(ours) && PartitionPlacement.IsOf(theirs)
            && GroupProperties.Of(theirs) != GroupProperties.Of(ours));

    /// <summary>
    /// Whether this silo has several engines and the other is of a version that would take them for one, and so lose
    /// what they send.
    /// </summary>
    public static bool KnowsOneEngineOnly(GrainManifest own, GrainManifest other) =>
        EngineCount.Of(own) > 1 && IsOfOneEngine(other);

    /// <summary>Whether a silo is of version 0.1.0, in which each had one engine, and none said so.</summary>
    public static bool IsOfOneEngine(GrainManifest silo) =>
        EngineCount.Find(silo) is null && silo.Grains.Values.Any(PartitionPlacement.IsOf);

    /// <summary>The first grain type that both silos have, and that differs.</summary>
    private static GrainType? FirstOf(
        GrainManifest own, GrainManifest other, Func<GrainProperties, GrainProperties, bool> differs)
    {
        foreach (var (type, properties) in own.Grains)
        {
            if (other.Grains.TryGetValue(type, out var theirs) && differs(properties, theirs)) return type;
        }

        return null;
    }

    /// <summary>Interfaces of grains with transactional states that both silos have, in different versions.</summary>
    public static IEnumerable<(GrainInterfaceType Interface, string Own, string Theirs)> VersionDifferences(
        GrainManifest own, GrainManifest other)
    {
        foreach (var (type, properties) in own.Grains)
        {
            if (!PartitionPlacement.IsOf(properties) || !other.Grains.ContainsKey(type))
                continue;
            foreach (var (name, value) in properties.Properties)
            {
                if (!name.StartsWith(WellKnownGrainTypeProperties.ImplementedInterfacePrefix, StringComparison.Ordinal))
                    continue;
                var known = GrainInterfaceType.Create(value);
                if (VersionOf(own, known) is { } mine && VersionOf(other, known) is { } theirs && mine != theirs)
                    yield return (known, mine, theirs);
            }
        }
    }

    private static string? VersionOf(GrainManifest manifest, GrainInterfaceType type) =>
        manifest.Interfaces.TryGetValue(type, out var known)
            ? known.Properties.GetValueOrDefault(WellKnownGrainInterfaceProperties.Version)
            : null;

    /// <summary>
    /// A silo that finds another engine in the cluster does not even start: nobody has sent it anything yet.
    /// </summary>
    private async Task CheckBeforeJoiningAsync(CancellationToken cancellationToken)
    {
        using var patience = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, _stopping.Token);
        patience.CancelAfter(s_manifestPatience);
        try
        {
            await foreach (var manifest in manifests.Updates.WithCancellation(patience.Token).ConfigureAwait(false))
            {
                foreach (var (silo, theirs) in manifest.Silos)
                {
                    if (silo.Equals(self.Silo)) continue;
                    if (StorageDifference(manifests.LocalGrainManifest, theirs) is { } split)
                    {
                        HostLog.MixedStorages(_logger, silo, split);
                        throw new OrleansConfigurationException(
                            $"{silo} keeps a transactional state of grain type {split} in another place than this "
                            + "silo. Give all silos the same storage providers and the same "
                            + $"{nameof(PolyjuiceOptions)}.{nameof(PolyjuiceOptions.StateStorage)}, and replace them "
                            + "all at once.");
                    }

                    if (GroupDifference(manifests.LocalGrainManifest, theirs) is { } moved)
                    {
                        HostLog.MixedGroups(_logger, silo, moved);
                        throw new OrleansConfigurationException(
                            $"The class of grain type {moved} declares another transaction group on {silo} than on "
                            + "this silo: each would look for its states in another log. Give all silos the same "
                            + "declarations ([TransactionGroup]), and replace them all at once.");
                    }

                    if (KnowsOneEngineOnly(manifests.LocalGrainManifest, theirs))
                    {
                        HostLog.OneEngineOnly(_logger, silo);
                        throw new OrleansConfigurationException(
                            $"{silo} runs a version of Polyjuice that knows one engine for each silo, and this silo "
                            + $"has several. Set {nameof(PolyjuiceOptions)}.{nameof(PolyjuiceOptions.EnginesPerSilo)} "
                            + "= 1 until all silos run this version, and raise it after that.");
                    }

                    if (Difference(manifests.LocalGrainManifest, theirs) is not { } type) continue;
                    HostLog.MixedEngines(_logger, silo, type);
                    throw new OrleansConfigurationException(
                        $"{silo} runs another transaction engine than this silo on grain type {type}, and two engines "
                        + "must not share a cluster. Replace all silos at once (blue-green), or give this silo's "
                        + "cluster an id of its own.");
                }

                if (IsComplete(manifest)) return;
            }
        }
        catch (OperationCanceledException) when (patience.IsCancellationRequested)
        {
            // Who does not answer is looked at once it does.
            cancellationToken.ThrowIfCancellationRequested();
        }
    }

    private bool IsComplete(ClusterManifest manifest) =>
        membership.CurrentSnapshot.Members.Values.All(member =>
            member.Status != SiloStatus.Active || member.SiloAddress.Equals(self.Silo)
            || manifest.Silos.ContainsKey(member.SiloAddress));

    private async Task FollowAsync()
    {
        try
        {
            await foreach (var manifest in manifests.Updates.WithCancellation(_stopping.Token).ConfigureAwait(false))
                await CheckAsync(manifest).ConfigureAwait(false);
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

    private async Task CheckAsync(ClusterManifest cluster)
    {
        foreach (var (silo, manifest) in cluster.Silos)
        {
            if (silo.Equals(self.Silo)) continue;
            SayMissing(silo, manifest);
            SayOtherVersions(silo, manifest);
            if (Difference(manifests.LocalGrainManifest, manifest) is { } type)
                HostLog.MixedEngines(_logger, silo, type);
            else if (StorageDifference(manifests.LocalGrainManifest, manifest) is { } split)
                HostLog.MixedStorages(_logger, silo, split);
            else if (GroupDifference(manifests.LocalGrainManifest, manifest) is { } moved)
                HostLog.MixedGroups(_logger, silo, moved);
            else if (KnowsOneEngineOnly(manifests.LocalGrainManifest, manifest))
                HostLog.OneEngineOnly(_logger, silo);
            else continue;
            if (silo.Generation <= self.Silo.Generation)
            {
                host.StopApplication();
                return;
            }

            await membership.TryKill(silo).ConfigureAwait(false);
        }
    }

    // Not refused: in a rolling update that adds classes, the silos of before lack them.
    private void SayMissing(SiloAddress silo, GrainManifest manifest)
    {
        foreach (var (type, properties) in manifests.LocalGrainManifest.Grains)
        {
            if (!PartitionPlacement.IsOf(properties) || manifest.Grains.ContainsKey(type))
                continue;
            if (_missing.Add((silo, type))) HostLog.MissingClass(_logger, silo, type);
        }
    }

    // Not refused, for the same reason.
    private void SayOtherVersions(SiloAddress silo, GrainManifest manifest)
    {
        foreach (var (type, own, theirs) in VersionDifferences(manifests.LocalGrainManifest, manifest))
        {
            if (_otherVersions.Add((silo, type))) HostLog.OtherVersion(_logger, silo, theirs, type, own);
        }
    }
}
