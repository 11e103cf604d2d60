using Orleans.Metadata;

namespace Polyjuice.Orleans.Silos;

/// <summary>
/// Whether a silo can serve log partitions, by its manifest. A silo of another role (a front end, say) may have none of
/// the application's classes with transactional states: every grain of a partition that it owned would be out of reach.
/// </summary>
internal static class SiloClasses
{
    /// <summary>What this library's own grain types begin with. Every silo has their classes.</summary>
    private const string OwnPrefix = "polyjuice.";

    /// <summary>Whether it has a class with transactional states that is the application's.</summary>
    public static bool HasAny(GrainManifest manifest) => manifest.Grains.Any(static grain =>
        PartitionPlacement.IsOf(grain.Value)
        && !grain.Key.ToString()!.StartsWith(OwnPrefix, StringComparison.Ordinal));
}
