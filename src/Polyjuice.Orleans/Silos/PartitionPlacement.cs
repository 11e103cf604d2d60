using Orleans.Metadata;
using Orleans.Runtime;
using Orleans.Runtime.Placement;
using Orleans.Transactions.Abstractions;
using Orleans.Serialization;

namespace Polyjuice.Orleans.Silos;

/// <summary>Grains with transactional states live where their log partition is served.</summary>
[Serializable, Immutable]
internal sealed class PartitionPlacement : PlacementStrategy
{
    /// <summary>The grain property that says so; every silo and client sees it.</summary>
    public const string Property = "polyjuice.partitioned";

    public static PartitionPlacement Shared { get; } = new();

    /// <summary>Whether a manifest says so of a grain class.</summary>
    public static bool IsOf(GrainProperties grain) => grain.Properties.ContainsKey(Property);
}
