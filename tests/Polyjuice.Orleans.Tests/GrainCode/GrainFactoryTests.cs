
namespace Polyjuice.Orleans.Tests.GrainCode;

/// <summary>Keys and references.</summary>
public sealed class GrainFactoryTests
{
    [Fact]
    public async Task Every_kind_of_key_reaches_its_grain()
    {
        await using var cluster = await TestHost.StartAsync();
        var guid = new Guid("00112233-4455-6677-8899-aabbccddeeff");
        Assert.Equal(guid.ToString(), await cluster.Client.GetGrain<IByGuid>(guid).Key());
        Assert.Equal("-7", await cluster.Client.GetGrain<IByInteger>(-7).Key());
        Assert.Equal($"{guid} a+b", await cluster.Client.GetGrain<IByGuidAndText>(guid, "a+b").Key());
        Assert.Equal("9 text", await cluster.Client.GetGrain<IByIntegerAndText>(9, "text").Key());
    }

    [Fact]
    public async Task References_to_the_same_grain_are_equal()
    {
        await using var cluster = await TestHost.StartAsync();
        Assert.Equal(cluster.Client.GetGrain<IByInteger>(1), cluster.Client.GetGrain<IByInteger>(1));
        Assert.NotEqual(cluster.Client.GetGrain<IByInteger>(1), cluster.Client.GetGrain<IByInteger>(2));
    }

    [Fact]
    public async Task A_prefix_chooses_between_several_classes()
    {
        await using var cluster = await TestHost.StartAsync();
        Assert.Throws<ArgumentException>(() => cluster.Client.GetGrain<ISeveral>("k"));
        Assert.Equal("two", await cluster.Client.GetGrain<ISeveral>("k", typeof(SeveralTwoGrain).FullName).Name());
    }

    [Fact]
    public async Task An_interface_that_no_class_implements_is_named()
    {
        await using var cluster = await TestHost.StartAsync();
        Assert.Contains(
            nameof(INobody), Assert.Throws<ArgumentException>(() => cluster.Client.GetGrain<INobody>("k")).Message);
    }

    [Fact]
    public async Task A_grain_hands_out_a_reference_to_itself_under_another_interface()
    {
        await using var cluster = await TestHost.StartAsync();
        var grain = cluster.Client.GetGrain<ITwoFaced>("k");
        var other = await grain.Other();
        Assert.Equal(grain.GetGrainId(), other.GetGrainId());
        Assert.EndsWith("/k", await other.Name(), StringComparison.Ordinal);
    }
}
