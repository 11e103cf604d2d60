using Polyjuice.Contracts;
using Polyjuice.Partitions;

namespace Polyjuice.Tests.Partitions.Owners;

public sealed class RecoveredOutcomesTests
{
    [Fact]
    public void Outcomes_are_forgotten_when_their_agent_is_done_unless_somebody_depends_on_them()
    {
        var outcomes = new RecoveredOutcomes();
        outcomes.Set(Id(1), true);
        outcomes.Set(Id(2), false);
        outcomes.Set(Id(3), true);
        var forgot = new List<TransactionId>();
        outcomes.Forget(id => id.Sequence < 3, [Id(1)], forgot.Add);
        Assert.Empty(forgot);
        Assert.True(outcomes.IsCommitted(Id(1)));
        Assert.False(outcomes.Contains(Id(2)));
        Assert.True(outcomes.TryGet(Id(3), out var committed) && committed);
        outcomes.Forget(_ => true, null, forgot.Add);
        Assert.Equal([Id(1), Id(3)], forgot);
        Assert.Equal(0, outcomes.Count);
    }

    private static TransactionId Id(long sequence) => new(new NodeId(1), sequence);
}
