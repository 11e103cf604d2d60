using System.Collections.Immutable;
using Orleans.Metadata;
using Orleans.Runtime;
using Polyjuice.Orleans.Silos;

namespace Polyjuice.Orleans.Tests.Silos;

public sealed class EngineGuardTests
{
    private static readonly GrainType s_account = GrainType.Create("account");
    private static readonly GrainType s_teller = GrainType.Create("teller");

    private static readonly ImmutableDictionary<string, string> s_none = ImmutableDictionary.Create<string, string>(
        StringComparer.Ordinal);

    [Fact]
    public void Silos_that_run_the_same_engine_agree() =>
        Assert.Null(
            EngineGuard.Difference(
                Manifest((s_account, true), (s_teller, false)), Manifest((s_account, true), (s_teller, false))));

    [Fact]
    public void A_silo_that_runs_a_transactional_class_on_another_engine_is_told_by_it() =>
        Assert.Equal(
            s_account,
            EngineGuard.Difference(
                Manifest((s_account, true), (s_teller, false)), Manifest((s_account, false), (s_teller, false))));

    [Fact]
    public void A_silo_that_does_not_have_the_class_is_no_difference() =>
        Assert.Null(EngineGuard.Difference(Manifest((s_account, true)), Manifest((s_teller, false))));

    [Theory]
    [InlineData("1", "1", false, true)]
    [InlineData("1", "2", true, true)]
    [InlineData("2", "1", true, true)]
    [InlineData("1", "2", false, false)]
    public void Another_version_of_an_interface_of_a_grain_with_states_is_told(
        string own, string theirs, bool isTold, bool isOurs)
    {
        var differences = EngineGuard.VersionDifferences(Manifest(own, isOurs), Manifest(theirs, isOurs)).ToList();

        Assert.Equal(isTold ? [(s_interface, own, theirs)] : [], differences);
    }

    [Theory]
    [InlineData("2", null, true)]
    [InlineData("1", null, false)]
    [InlineData("2", "1", false)]
    [InlineData("2", "4", false)]
    [InlineData(null, "2", false)]
    public void A_silo_that_knows_one_engine_only_must_not_meet_several(string? own, string? theirs, bool isTold) =>
        Assert.Equal(isTold, EngineGuard.KnowsOneEngineOnly(WithEngines(own), WithEngines(theirs)));

    [Theory]
    [InlineData(null, 1)]
    [InlineData("3", 3)]
    [InlineData("17", 1)]
    [InlineData("many", 1)]
    public void A_silo_says_how_many_engines_it_has(string? text, int engines) =>
        Assert.Equal(engines, EngineCount.Of(WithEngines(text)));

    private static GrainManifest WithEngines(string? engines)
    {
        var properties = s_none.Add(PartitionPlacement.Property, "true");
        if (engines is not null) properties = properties.Add(EngineCount.Property, engines);
        return new(
            ImmutableDictionary<GrainType, GrainProperties>.Empty.Add(s_account, new(properties)),
            ImmutableDictionary<GrainInterfaceType, GrainInterfaceProperties>.Empty);
    }

    private static readonly GrainInterfaceType s_interface = GrainInterfaceType.Create("IAccount");

    private static GrainManifest Manifest(string version, bool isOurs)
    {
        var properties = s_none.Add(
            WellKnownGrainTypeProperties.ImplementedInterfacePrefix + "0", s_interface.ToString());
        if (isOurs) properties = properties.Add(PartitionPlacement.Property, "true");
        var known = new GrainInterfaceProperties(s_none.Add(WellKnownGrainInterfaceProperties.Version, version));
        return new(
            ImmutableDictionary<GrainType, GrainProperties>.Empty.Add(s_account, new(properties)),
            ImmutableDictionary<GrainInterfaceType, GrainInterfaceProperties>.Empty.Add(s_interface, known));
    }

    private static GrainManifest Manifest(params (GrainType Type, bool IsOurs)[] grains) => new(
        grains.ToImmutableDictionary(
            grain => grain.Type,
            grain => new GrainProperties(grain.IsOurs ? s_none.Add(PartitionPlacement.Property, "true") : s_none)),
        ImmutableDictionary<GrainInterfaceType, GrainInterfaceProperties>.Empty);
}
