using System.Collections.Immutable;
using Orleans.Metadata;
using Orleans.Runtime;
using Polyjuice.Lab.Workloads.ListAppend;
using Polyjuice.Orleans.Silos;
using Polyjuice.Orleans.Tests.Grains;

namespace Polyjuice.Orleans.Tests.Silos;

public sealed class PartitionPlacementResolverTests
{
    private readonly PartitionPlacementResolver _resolver = new();

    [Theory]
    [InlineData(typeof(AccountGrain), true)]
    [InlineData(typeof(ListGrain), true)]
    [InlineData(typeof(TellerGrain), false)]
    public void Classes_with_transactional_states_are_placed_by_partition(Type grainClass, bool isPartitioned)
    {
        var properties = new Dictionary<string, string>();
        _resolver.Populate(grainClass, GrainType.Create("grain"), properties);
        Assert.Equal(
            isPartitioned,
            _resolver.TryResolvePlacementStrategy(
                GrainType.Create("grain"),
                new GrainProperties(properties.ToImmutableDictionary(StringComparer.Ordinal)),
                out var strategy));
        Assert.Equal(isPartitioned, strategy is PartitionPlacement);
    }

    [Fact]
    public void The_types_of_states_are_found() =>
        Assert.Equal([typeof(Balance)], PartitionPlacementResolver.StatesOf(typeof(AccountGrain)));
}
