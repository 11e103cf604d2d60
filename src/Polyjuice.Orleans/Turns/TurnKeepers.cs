using System.Collections.Concurrent;
using Orleans.Metadata;
using Orleans.Runtime;
using Polyjuice.Orleans.Silos;

namespace Polyjuice.Orleans.Turns;

/// <summary>Which grains run one call at a time, each in one activation. Thread-safe.</summary>
internal sealed class TurnKeepers(IClusterManifestProvider manifests)
{
    // Orleans' strategy for grains with many activations, by whose name manifests name it.
    private const string StatelessWorkers = "StatelessWorkerPlacement";

    private readonly ConcurrentDictionary<GrainType, Known> _types = new();

    /// <summary>
    /// Whether a call of such a grain keeps others out until it has returned, unless they may interleave.
    /// </summary>
    public bool KeepTurn(GrainType type) => Of(type).KeepsTurn;

    /// <summary>Whether such a grain is where its log partition is.</summary>
    public bool IsPlacedByPartition(GrainType type) => Of(type).IsPlacedByPartition;

    /// <summary>Whether such a grain may have many activations at a time: a stateless worker.</summary>
    public bool HasManyActivations(GrainType type) => Of(type).HasMany;

    private Known Of(GrainType type)
    {
        if (_types.TryGetValue(type, out var known)) return known;
        var named = GrainTypes.ClassOf(type);
        foreach (var manifest in manifests.Current.AllGrainManifests)
        {
            if (!manifest.Grains.TryGetValue(named, out var grain)) continue;
            var properties = grain.Properties;
            var isReentrant = properties.TryGetValue(WellKnownGrainTypeProperties.Reentrant, out var reentrant)
                && bool.Parse(reentrant);
            var hasMany = properties.TryGetValue(WellKnownGrainTypeProperties.PlacementStrategy, out var placement)
                && placement == StatelessWorkers;
            return _types[type] = new(
                !isReentrant && !hasMany, hasMany, properties.ContainsKey(PartitionPlacement.Property));
        }

        // Its silo has just joined; or it is no grain, but part of a silo.
        return default;
    }

    private readonly record struct Known(bool KeepsTurn, bool HasMany, bool IsPlacedByPartition);
}
