using Polyjuice.Lab.Chaos;
using Polyjuice.Policies;

namespace Polyjuice.Lab.Tests.Chaos;

public class TableRoundTests
{
    [Fact]
    public void Every_built_in_table_comes_once_a_round_and_a_random_one_between_two()
    {
        var round = new TableRound(7);

        var names = Enumerable.Range(0, 4 * BuiltinPolicies.All.Count).Select(_ => round.Next().Name).ToArray();

        Assert.All(names.Where((_, place) => place % 2 == 0), name => Assert.Equal(TableRound.Random, name));
        foreach (var half in names.Where((_, place) => place % 2 == 1).Chunk(BuiltinPolicies.All.Count))
            Assert.Equal(BuiltinPolicies.Names, half.Order(StringComparer.Ordinal));
    }
}
