using System.Globalization;
using Polyjuice.Orleans.Groups;

namespace Polyjuice.Orleans.Tests.Groups;

/// <summary>Where groups are, which logs depend on.</summary>
public sealed class GroupPlaceTests
{
    // By another program: these must never change.
    [Theory]
    [InlineData("warehouse", "1", 8, 4)]
    [InlineData("warehouse", "2", 8, 1)]
    [InlineData("warehouse", "-1", 8, 2)]
    [InlineData("depot", "1", 8, 0)]
    [InlineData("warehouse", "01", 8, 5)]
    [InlineData("warehouse", "+1", 8, 1)]
    [InlineData("region", "north", 8, 6)]
    [InlineData("region", "north", 7, 4)]
    [InlineData("warehouse", "9223372036854775807", 65536, 53991)]
    [InlineData("warehouse", "9223372036854775808", 65536, 12077)]
    public void A_group_has_its_partition_for_ever(string name, string value, int partitions, int partition) =>
        Assert.Equal(partition, new GroupPlace(name).PartitionOf(value, partitions));

    [Fact]
    public void Consecutive_numbers_are_spread_evenly_over_any_number_of_partitions()
    {
        for (var partitions = 1; partitions <= 64; partitions++)
        {
            for (var groups = 1; groups <= 4 * partitions; groups++)
            {
                var loads = new int[partitions];
                for (var group = 1; group <= groups; group++)
                    loads[new GroupPlace("warehouse").PartitionOf(
                        group.ToString(CultureInfo.InvariantCulture), partitions)]++;

                Assert.InRange(loads.Max(), 1, (groups / partitions) + 3);
            }
        }
    }

    [Fact]
    public void With_one_partition_everything_is_there() =>
        Assert.Equal(
            (0, 0, 0),
            (new GroupPlace("g").PartitionOf(
                "1", 1), new GroupPlace("g").PartitionOf("-5", 1), new GroupPlace("g").PartitionOf("x", 1)));
}
