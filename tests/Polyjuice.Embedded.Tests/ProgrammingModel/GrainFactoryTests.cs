namespace Polyjuice.Embedded.Tests.ProgrammingModel;

public sealed class GrainFactoryTests : IAsyncLifetime
{
    private EmbeddedCluster _cluster = null!;

    private IGrainFactory Grains => _cluster.Client;

    public async Task InitializeAsync() => _cluster = await EmbeddedCluster.StartAsync(new()
    {
        GrainClassFilter = type => type.Namespace == typeof(GrainFactoryTests).Namespace,
    });

    public Task DisposeAsync() => _cluster.DisposeAsync().AsTask();

    [Fact]
    public async Task Every_kind_of_key_reaches_its_grain()
    {
        var guid = new Guid("00112233-4455-6677-8899-aabbccddeeff");
        Assert.Equal(guid.ToString(), await Grains.GetGrain<IByGuid>(guid).Key());
        Assert.Equal("-7", await Grains.GetGrain<IByInteger>(-7).Key());
        Assert.Equal($"{guid} a+b", await Grains.GetGrain<IByGuidAndText>(guid, "a+b").Key());
        Assert.Equal("9 text", await Grains.GetGrain<IByIntegerAndText>(9, "text").Key());
    }

    [Fact]
    public async Task A_type_known_only_at_run_time_gets_a_reference_too()
    {
        Assert.Equal("5", await ((IByInteger)Grains.GetGrain(typeof(IByInteger), 5)).Key());
        Assert.Throws<ArgumentException>(() => Grains.GetGrain(typeof(IByInteger), "five"));
    }

    // Their logs would hold U+FFFD for either: a transaction on the one found what another had written to the other.
    [Theory]
    [InlineData(0xD800)]
    [InlineData(0xDFFF)]
    public void A_key_that_no_log_can_hold_is_refused(int surrogate)
    {
        foreach (var key in (string[])[$"{(char)surrogate}", $"a{(char)surrogate}b", $"\U0001F9EA{(char)surrogate}"])
        {
            Assert.Throws<ArgumentException>("key", () => Grains.GetGrain<ITwoFaced>(key));
            Assert.Throws<ArgumentException>("key", () => Grains.GetGrain(typeof(ITwoFaced), key));
            Assert.Throws<ArgumentException>("key", () => Grains.GetGrain<IByGuidAndText>(Guid.Empty, key));
            Assert.Throws<ArgumentException>("key", () => Grains.GetGrain<IByIntegerAndText>(1, key));
            Assert.Throws<ArgumentException>("key", () => Grains.GetGrain<ITwoFaced>(new GrainId("TwoFacedGrain", key)));
        }
    }

    [Fact]
    public async Task A_key_of_any_text_reaches_its_grain()
    {
        // A pair of surrogates is one character, and U+FFFD is one, too.
        foreach (var key in (string[])["\U0001F9EA", "é", "a\uFFFDb", "\uFFFF"]) Assert.Equal($"TwoFacedGrain/{key}", await (await Grains.GetGrain<ITwoFaced>(key).Other()).Name());
    }

    [Fact]
    public void References_to_the_same_grain_are_equal()
    {
        Assert.Equal(Grains.GetGrain<IByInteger>(1), Grains.GetGrain<IByInteger>(1));
        Assert.NotEqual(Grains.GetGrain<IByInteger>(1), Grains.GetGrain<IByInteger>(2));
        Assert.Equal("ByIntegerGrain/1", Grains.GetGrain<IByInteger>(1).GetGrainId().ToString());
    }

    [Fact]
    public async Task A_prefix_chooses_between_several_classes()
    {
        var error = Assert.Throws<ArgumentException>(() => Grains.GetGrain<ISeveral>("k"));
        Assert.Contains(nameof(SeveralOneGrain), error.Message);
        Assert.Contains(nameof(SeveralTwoGrain), error.Message);
        Assert.Equal("two", await Grains.GetGrain<ISeveral>("k", typeof(SeveralTwoGrain).FullName).Name());
    }

    [Fact]
    public void An_interface_that_no_class_implements_is_named()
    {
        var error = Assert.Throws<ArgumentException>(() => Grains.GetGrain<INobody>("k"));
        Assert.Contains(nameof(INobody), error.Message);
    }

    [Fact]
    public async Task A_grain_hands_out_a_reference_to_itself_under_another_interface()
    {
        var other = await Grains.GetGrain<ITwoFaced>("k").Other();
        Assert.Equal("TwoFacedGrain/k", await other.Name());
        Assert.Throws<InvalidCastException>(() => other.AsReference<IByInteger>());
    }

    [Fact]
    public void A_grain_is_not_created_by_hand() => Assert.Throws<InvalidOperationException>(() => new TwoFacedGrain());
}
