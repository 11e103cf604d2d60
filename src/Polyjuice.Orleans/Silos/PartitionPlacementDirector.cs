using Orleans.Runtime;
using Orleans.Runtime.Placement;

namespace Polyjuice.Orleans.Silos;

/// <inheritdoc cref="PartitionPlacement"/>
internal sealed class PartitionPlacementDirector(GrainPlaces places) : IPlacementDirector
{
    /// <inheritdoc/>
    public Task<SiloAddress> OnAddActivation(
        PlacementStrategy strategy, PlacementTarget target, IPlacementContext context)
    {
        var compatible = context.GetCompatibleSilos(target);
        if (places.OwnerOf(target.GrainIdentity) is { } owner && Array.IndexOf(compatible, owner) >= 0)
            return Task.FromResult(owner);

        // Nobody serves the partition yet, or the owner's classes are not known here: any silo will do, and sends the
        // grain on if it turns out not to be the one.
        return Task.FromResult(Array.IndexOf(compatible, context.LocalSilo) >= 0 ? context.LocalSilo : compatible[0]);
    }
}
