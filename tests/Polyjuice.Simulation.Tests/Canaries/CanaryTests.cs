using Polyjuice.Contracts;
using Polyjuice.Simulation.Canaries;

namespace Polyjuice.Simulation.Tests.Canaries;

/// <summary>The simulation misses every rule that is removed from the engine.</summary>
public class CanaryTests
{
    private const ulong Start = 1;

    private const int RunsMax = 2_000;

    /// <summary>
    /// Half of the hunts for nearly all of them take fewer than 500 runs
    /// (docs/internals/simulation.md); this start may be one of the others.
    /// </summary>
    private const int GuidedMax = 1_000;

    public static TheoryData<string> Hunted => [.. AllCanaries.List.Select(canary => canary.Name)];

    [Theory]
    [MemberData(nameof(Hunted))]
    public void A_rule_that_is_removed_is_missed(string name)
    {
        var canary = AllCanaries.Get(name);
        var found = CanaryHunt.Run(canary, Start, GuidedMax) ?? CanaryHunt.Run(canary, Start, RunsMax, isGuided: false);
        Assert.True(
            found is not null,
            $"{name} is not found; look with: polyjuice check --break {name} --starts 10 --seeds {RunsMax}");
    }

    [Fact]
    public void The_same_start_finds_the_same()
    {
        var canary = AllCanaries.Get(nameof(ProtocolBreaks.StagedNoProof));
        var (first, second) = (CanaryHunt.Run(canary, Start, RunsMax)!, CanaryHunt.Run(canary, Start, RunsMax)!);
        Assert.Equal((first.Runs, first.Case.Seed, first.Message), (second.Runs, second.Case.Seed, second.Message));
    }

    [Fact]
    public void A_hunt_without_guidance_runs_one_seed_after_the_other()
    {
        var canary = AllCanaries.Get(nameof(ProtocolBreaks.NoReadCheck));
        var found = CanaryHunt.Run(canary, start: 100, RunsMax, isGuided: false)!;
        Assert.Equal((99UL + (ulong)found.Runs, canary.Shape), (found.Case.Seed, found.Case.Shape));
        Assert.Null(CanaryHunt.Run(canary, start: 100, found.Runs - 1, isGuided: false));
    }

    [Fact]
    public void Every_switch_of_the_engine_has_a_canary()
    {
        var switches = Enum.GetNames<ProtocolBreaks>().Where(n => n != nameof(ProtocolBreaks.None)).Order();
        Assert.Equal(switches, AllCanaries.List.Select(c => c.Name).Order());
    }

    [Fact]
    public void A_canary_that_does_not_exist_is_refused_with_those_that_do()
    {
        var refused = Assert.Throws<ArgumentException>(() => AllCanaries.Get("NoSuchRule"));
        Assert.Contains(nameof(ProtocolBreaks.NoReadCheck), refused.Message, StringComparison.Ordinal);
    }
}
