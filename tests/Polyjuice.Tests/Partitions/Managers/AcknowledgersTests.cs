using Polyjuice.Partitions;

namespace Polyjuice.Tests.Partitions.Managers;

public sealed class AcknowledgersTests
{
    [Fact]
    public void Only_who_was_asked_to_hurry_makes_room_for_another_when_it_has_acknowledged()
    {
        var partitions = new Acknowledgers([1, 2, 3, 4]) { Hurried = 2 };
        partitions.Remove(3);
        partitions.Remove(9);
        Assert.Equal(2, partitions.Hurried);
        partitions.Remove(1);
        Assert.Equal(1, partitions.Hurried);
        Assert.Equal([2, 4], partitions);
    }
}
