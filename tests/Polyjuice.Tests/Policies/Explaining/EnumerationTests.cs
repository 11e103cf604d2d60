using Polyjuice.Policies;

namespace Polyjuice.Tests.Policies.Explaining;

public class EnumerationTests
{
    [Fact]
    public void Lists_end_with_and() =>
        Assert.Equal(["", "a", "a and b", "a, b and c"],
            new string[][] { [], ["a"], ["a", "b"], ["a", "b", "c"] }.Select(Enumeration.And));

    [Fact]
    public void Three_neighbours_and_more_are_a_range() =>
        Assert.Equal(["1", "1 and 2", "1–3", "1–4, 6, 8 and 9"],
            new int[][] { [1], [1, 2], [1, 2, 3], [1, 2, 3, 4, 6, 8, 9] }.Select(Enumeration.Ranges));
}
