using Polyjuice.Agents;

namespace Polyjuice.Tests.Agents.Commits;

public class RoundPartsTests
{
    [Theory]
    [InlineData(0)]
    [InlineData(63)]
    [InlineData(64)]
    [InlineData(500)]
    public void Asking_and_ordering_are_kept_apart(int part)
    {
        var parts = default(RoundParts);
        parts.Ask(part);
        parts.Ask(part);
        Assert.True(parts.IsAsked(part));
        Assert.True(parts.AreAllAsked(1));
        Assert.False(parts.HasOrdered(part));
        Assert.Equal(0, parts.OrderedCount);
        parts.Order(part);
        parts.Order(part);
        Assert.True(parts.HasOrdered(part));
        Assert.Equal(1, parts.OrderedCount);
        Assert.False(parts.IsAsked(part + 1));
    }

    [Fact]
    public void Many_that_have_ordered_are_all_counted()
    {
        var parts = default(RoundParts);
        for (var i = 60; i < 70; i++) parts.Order(i);
        Assert.Equal(10, parts.OrderedCount);
        for (var i = 60; i < 70; i++) Assert.True(parts.HasOrdered(i));
    }

    [Fact]
    public void All_are_asked_only_when_the_last_one_is()
    {
        var parts = default(RoundParts);
        for (var i = 0; i < 99; i++) parts.Ask(i);
        Assert.False(parts.AreAllAsked(100));
        parts.Ask(99);
        Assert.True(parts.AreAllAsked(100));
    }
}
