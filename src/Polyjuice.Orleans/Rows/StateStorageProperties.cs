using Orleans.Metadata;
using Orleans.Runtime;
using Polyjuice.Orleans.Silos;

namespace Polyjuice.Orleans.Rows;

/// <summary>
/// Writes into the cluster's manifest where each transactional state is kept: silos that see it differently must not
/// share a cluster, or a state would have two contents.
/// </summary>
internal sealed class StateStorageProperties(StateStorageResolver storages) : IGrainPropertiesProvider
{
    /// <summary>What the names of these properties begin with.</summary>
    public const string Prefix = "polyjuice.storage.";

    /// <inheritdoc/>
    public void Populate(Type grainClass, GrainType grainType, Dictionary<string, string> properties)
    {
        foreach (var (state, storage) in PartitionPlacementResolver.StoragesOf(
            grainClass)) properties[Prefix + state] = storages.PlaceOf(storage);
    }
}
