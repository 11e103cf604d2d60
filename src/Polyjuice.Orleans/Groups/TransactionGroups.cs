using System.Collections.Concurrent;
using Microsoft.Extensions.Options;
using Orleans.Configuration;
using Orleans.Metadata;
using Orleans.Runtime;
using Polyjuice.Contracts;
using Polyjuice.Orleans.Silos;

namespace Polyjuice.Orleans.Groups;

/// <summary>The groups of this silo's grain classes. Thread-safe.</summary>
internal sealed class TransactionGroups(
    IGroupRules rules, IOptions<GrainTypeOptions> grains, GrainClassMap classes, GrainTypeResolver types) : GrainGroups
{
    // What generic classes are made of comes in with calls; of each class there is one.
    private readonly ConcurrentDictionary<GrainType, GroupRule?> _rules = new();

    /// <summary>
    /// The declarations of the silo's classes with transactional states, by grain type; empty for none.
    /// </summary>
    public IEnumerable<(Type Class, string GrainType, string Declaration)> Declarations() =>
        grains.Value.Classes.Where(PartitionPlacementResolver.IsTransactional)
            .Select(known => (known, types.GetGrainType(known).ToString()!, rules.Of(known)?.Declaration ?? ""));

    /// <summary>The log partition of a grain.</summary>
    /// <param name="grain">The grain.</param>
    /// <param name="partitions">How many there are; at least 1.</param>
    /// <exception cref="TransactionGroupException">Its class declares a group, and it belongs to none.</exception>
    public int PartitionOf(GrainId grain, int partitions) =>
        RuleOf(grain.Type) is { } rule
            ? rule.PartitionOf(grain, partitions)
            : StableHash.Partition(grain.ToString(), partitions);

    /// <inheritdoc/>
    public override int? FindPartition(string grain, int partitions)
    {
        if (!GrainId.TryParse(grain, null, out var id) || !IsKnown(id.Type)) return null;
        try
        {
            return PartitionOf(id, partitions);
        }
        catch (TransactionGroupException)
        {
            return null;
        }
    }

    private bool IsKnown(GrainType type) => _rules.ContainsKey(type) || classes.TryGetGrainClass(type, out _);

    private GroupRule? RuleOf(GrainType type)
    {
        if (_rules.TryGetValue(type, out var known)) return known;
        if (!classes.TryGetGrainClass(type, out var grainClass)) return null;
        return _rules.GetOrAdd(type, rules.Of(grainClass));
    }
}
