using Polyjuice.CommandLine;
using Polyjuice.Policies;
using Polyjuice.Training.Races;

namespace Polyjuice.Cli.Tests;

public sealed class RaceTableTests
{
    private static readonly PolicyDocument s_own = BuiltinPolicies.Get("occ").Document with { Name = "learned-2" };
    private static readonly PolicyDocument s_best = BuiltinPolicies.Get("ic3").Document;

    [Fact]
    public void Standings_are_lines_with_what_each_makes_beside_the_best() => Assert.Equal(
        """
        on the cluster  committed/s       least … most  rounds  by the best
        learned-2             2,000      2,000 … 2,000       3      1.00
        ic3                   1,000      1,000 … 1,000       2      0.50  out
        """,
        RaceTable.Of([new(s_own, [2_000, 2_000, 2_000], IsOut: false), new(s_best, [1_000, 1_000], IsOut: true)]));

    [Theory]
    [InlineData(
        1.2, 1.1,
        "In 2 more rounds learned-2, the best that was found, makes 1.20 times as much as ic3, the best that was there "
        + "(95 %: 1.10 to 1.40): it is better.")]
    [InlineData(
        1.2, 0.9,
        "In 2 more rounds learned-2, the best that was found, makes 1.20 times as much as ic3, the best that was there "
        + "(95 %: 0.90 to 1.40): that may be chance.")]
    public void A_verdict_is_a_sentence_with_its_interval(double ratio, double low, string expected) =>
        Assert.Equal(expected, RaceTable.Sentence(new([], s_own, s_best, [(12, 10), (12, 10)], new(ratio, low, 1.4))));

    [Fact]
    public void Without_rounds_of_its_own_the_race_has_decided() => Assert.Equal(
        "learned-2, the best that was found, made less in the race than ic3, the best that was there.",
        RaceTable.Sentence(new([], s_own, s_best, [], new(0.5, 0.4, 0.6))));
}
