using Polyjuice.Policies;

namespace Polyjuice.Tests.Policies.Explaining;

public class FactTests
{
    [Fact]
    public void Facts_are_told_in_the_order_of_their_aspects_and_those_who_are_waited_for_alike_together()
    {
        Fact[] facts =
        [
            new(Aspect.Waits, "", "A", Fact.Last), new(Aspect.Waits, "", "B"), new(Aspect.Waits, "", "C", Fact.Last),
            new(Aspect.Waits, "", "D", Fact.Sealed), new(Aspect.Waits, "", "E"),
                new(Aspect.EarlyValidation, "validates early"),
            new(Aspect.Read, "reads dirty versions"),
        ];

        Assert.Equal(
            "reads dirty versions and validates early; "
            + "waits for A and C until their last sites, for D until it is sealed; "
            + "does not wait for B and E",
            Fact.Join(facts));
    }

    [Fact]
    public void Nothing_is_told_of_no_facts() => Assert.Equal("", Fact.Join([]));
}
