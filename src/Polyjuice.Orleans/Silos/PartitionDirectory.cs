using System.Diagnostics.CodeAnalysis;
using Orleans.GrainDirectory;
using Orleans.Metadata;
using Orleans.Runtime;
using Orleans.Runtime.GrainDirectory;

namespace Polyjuice.Orleans.Silos;

/// <summary>
/// The grain directory of grains with transactional states. It holds nothing: such a grain lives where its log
/// partition is served, which every silo computes from membership. So there is no entry
/// that could outlive a change of owner. A call that was sent by an old address makes an
/// activation on the silo that it finds there, asks here, and is forwarded. Thread-safe.
/// </summary>
internal sealed class PartitionDirectory(GrainPlaces places, OwnerSearch owners, IClusterManifestProvider manifests)
    : IGrainDirectory, IGrainDirectoryResolver
{
    /// <summary>How long a call waits for what a silo that has just joined says of its classes.</summary>
    private static readonly TimeSpan s_manifestPatience = TimeSpan.FromSeconds(5);

    private static readonly TimeSpan s_lookInterval = TimeSpan.FromMilliseconds(20);

    /// <inheritdoc/>
    public bool TryResolveGrainDirectory(
        GrainType grainType, GrainProperties? properties, [NotNullWhen(true)] out IGrainDirectory? grainDirectory)
    {
        grainDirectory = properties is not null && PartitionPlacement.IsOf(properties)
            ? this
            : null;
        return grainDirectory is not null;
    }

    /// <summary>Whether an activation may stay.</summary>
    /// <returns>Its address, or that of the silo where its grain belongs: Orleans forwards its calls there.</returns>
    public Task<GrainAddress?> Register(GrainAddress address) => Register(address, CancellationToken.None);

    /// <inheritdoc cref="Register(GrainAddress)"/>
    public async Task<GrainAddress?> Register(GrainAddress address, CancellationToken cancellationToken)
    {
        // Orleans asks under the activation's lock.
        await Task.Yield();
        var owner = await owners.FindAsync(address.GrainId, cancellationToken);
        return owner is null || owner.Equals(address.SiloAddress) ? address : Address(address.GrainId, owner);
    }

    // What was registered before does not matter.
    Task<GrainAddress?> IGrainDirectory.Register(GrainAddress address, GrainAddress? previousAddress) =>
        Register(address);

    Task<GrainAddress?> IGrainDirectory.Register(
        GrainAddress address, GrainAddress? previousAddress, CancellationToken cancellationToken) =>
        Register(address, cancellationToken);

    /// <inheritdoc/>
    /// <exception cref="GrainClassMissingException">The grain belongs on a silo that has no class for it.</exception>
    public Task<GrainAddress?> Lookup(GrainId grainId)
    {
        if (places.OwnerOf(grainId) is not { } owner) return Task.FromResult<GrainAddress?>(null);
        return manifests.Current.Silos.ContainsKey(owner)
            ? Task.FromResult<GrainAddress?>(Known(grainId, owner))
            : WhenKnownAsync(grainId, owner);
    }

    // A silo that has just joined: what it has is known in a moment. It may turn out to own nothing.
    private async Task<GrainAddress?> WhenKnownAsync(GrainId grainId, SiloAddress owner)
    {
        using var patience = new CancellationTokenSource(s_manifestPatience);
        try
        {
            await foreach (var manifest in manifests.Updates.WithCancellation(patience.Token).ConfigureAwait(false))
            {
                if (manifest.Silos.ContainsKey(owner) || !owner.Equals(places.OwnerOf(grainId))) break;
            }

            // If it has no classes at all, others get its partitions as soon as this silo's view has followed.
            while (owner.Equals(places.OwnerOf(grainId)) && manifests.Current.Silos.TryGetValue(owner, out var known)
                && !SiloClasses.HasAny(known) && manifests.Current.Silos.Values.Any(SiloClasses.HasAny))
                await Task.Delay(s_lookInterval, patience.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            // It does not answer, and is either about to be declared dead or able to say itself what it lacks.
        }

        return places.OwnerOf(grainId) is { } current ? Known(grainId, current) : null;
    }

    private GrainAddress Known(GrainId grain, SiloAddress owner) =>
        manifests.Current.Silos.TryGetValue(owner, out var manifest)
        && !manifest.Grains.ContainsKey(GrainTypes.ClassOf(grain.Type))
            ? throw new GrainClassMissingException(grain, places.PartitionOf(grain), owner)
            : Address(grain, owner);

    /// <inheritdoc/>
    public Task Unregister(GrainAddress address) => Task.CompletedTask;

    /// <inheritdoc/>
    public Task UnregisterSilos(List<SiloAddress> siloAddresses) => Task.CompletedTask;

    private GrainAddress Address(GrainId grain, SiloAddress silo) =>
        new() { GrainId = grain, SiloAddress = silo, MembershipVersion = places.View.Version };
}
