using Polyjuice.Commit;
using Polyjuice.Simulation.Canaries;

namespace Polyjuice.Simulation.Tests.Canaries;

/// <summary>
/// The simulation misses every rule that is removed from the engine. The quick ones are looked for always; all of them when the variable
/// SIMULATION_NIGHT is set.
/// </summary>
public class CanaryTests
{
    private const int QuickSeedsMax = 1_600;
    private const int NightSeedsMax = 20_000;

    private static readonly bool IsNight = Environment.GetEnvironmentVariable("SIMULATION_NIGHT") is { Length: > 0 };

    public static TheoryData<string> Hunted => [.. AllCanaries.List.Where(c => c.IsQuick || IsNight).Select(c => c.Name)];

    [Theory]
    [MemberData(nameof(Hunted))]
    public void A_rule_that_is_removed_is_missed(string name)
    {
        var canary = AllCanaries.Get(name);
        var found = CanaryHunt.Run(canary, canary.IsQuick ? QuickSeedsMax : NightSeedsMax);
        Assert.True(found is not null, $"{name} is not found; look with: polyjuice check --break {name} --seeds {NightSeedsMax}");
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
