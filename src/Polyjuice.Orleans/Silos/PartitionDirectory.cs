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
    /// <inheritdoc/>
    public bool TryResolveGrainDirectory(
        GrainType grainType, GrainProperties? properties, [NotNullWhen(true)] out IGrainDirectory? grainDirectory)
    {
        grainDirectory = properties is not null && properties.Properties.ContainsKey(PartitionPlacement.Property)
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

        // Of a silo that has just joined it is not known what it has.
        if (manifests.Current.Silos.TryGetValue(owner, out var manifest)
            && !manifest.Grains.ContainsKey(GrainTypes.ClassOf(grainId.Type)))
            throw new GrainClassMissingException(grainId, places.PartitionOf(grainId), owner);
        return Task.FromResult<GrainAddress?>(Address(grainId, owner));
    }

    /// <inheritdoc/>
    public Task Unregister(GrainAddress address) => Task.CompletedTask;

    /// <inheritdoc/>
    public Task UnregisterSilos(List<SiloAddress> siloAddresses) => Task.CompletedTask;

    private GrainAddress Address(GrainId grain, SiloAddress silo) =>
        new() { GrainId = grain, SiloAddress = silo, MembershipVersion = places.View.Version };
}
