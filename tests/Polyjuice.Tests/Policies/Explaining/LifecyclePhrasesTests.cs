using Polyjuice.Policies;

namespace Polyjuice.Tests.Policies.Explaining;

public class LifecyclePhrasesTests
{
    [Theory]
    [InlineData(PolicyAdmission.Run, "runs at once")]
    [InlineData(PolicyAdmission.DryRun, "is run dry first")]
    [InlineData(PolicyAdmission.DryRunReserve, "is run dry first, and reserves what it accesses")]
    [InlineData(PolicyAdmission.DeclaredReserve, "reserves what it declares")]
    [InlineData(PolicyAdmission.Auto, "is let in as the silo chooses")]
    internal void Admissions_are_told(PolicyAdmission admission, string expected) =>
        Assert.Equal(expected, LifecyclePhrases.Of(admission));

    [Fact]
    public void A_backoff_is_told_by_its_factors_and_in_short_if_they_are_the_same()
    {
        Assert.Equal("backs off ×2 after an abort, ÷2 after a commit", LifecyclePhrases.Of(PolicyBackoff.Binary));
        Assert.Equal(
            "backs off ×5, ×9 and ×1 after a first, second and later abort, "
            + "÷1, ÷2 and ÷3 after a commit with no, one and more aborts before it",
            LifecyclePhrases.Of(new PolicyBackoff([0, 1, 2], [4, 8, 0])));
    }
}
