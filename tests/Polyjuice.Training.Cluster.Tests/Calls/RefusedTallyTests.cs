using Polyjuice.Contracts;
using Polyjuice.Training.Cluster.Calls;

namespace Polyjuice.Training.Cluster.Tests.Calls;

public sealed class RefusedTallyTests
{
    [Fact]
    public void Somewhat_more_or_fewer_refusals_than_were_recorded_are_no_warning()
    {
        Assert.Null(TallyOf(committed: 85, refused: 15).Warning(0.1));
        Assert.Null(TallyOf(committed: 100, refused: 0).Warning(0.1));
        Assert.Null(new RefusedTally().Warning(0.5));
    }

    [Theory]
    [InlineData(60, 40, 0.1, "40%", "10%")]
    [InlineData(99, 1, 0.5, "1%", "50%")]
    public void Many_more_or_fewer_are_one_with_both_shares_and_what_was_thrown(
        int committed, int refused, double recorded, params string[] expected)
    {
        var warning = TallyOf(committed, refused).Warning(recorded)!;
        foreach (var part in expected.Append("InsufficientFundsException"))
            Assert.Contains(part, warning, StringComparison.Ordinal);
    }

    [Fact]
    public void What_was_recorded_as_the_applications_own_exception_counts_as_refused()
    {
        var trace = CallTraces.WithOutcomes(
            [new(0, 10)],
            [
                (0, AbortReason.None), (1, AbortReason.UserException), (2, AbortReason.Deadlock),
                (3, AbortReason.UserException)
            ]);
        Assert.Equal(0.5, RefusedTally.RecordedShare([trace]));
        Assert.Equal(0, RefusedTally.RecordedShare([]));
    }

    private static RefusedTally TallyOf(int committed, int refused)
    {
        var tally = new RefusedTally();
        tally.Add(new CallSample(committed, refused, 0, TimeSpan.FromSeconds(1), TimeSpan.Zero, TimeSpan.Zero)
        {
            Reasons = new Dictionary<string, int> { ["InsufficientFundsException"] = refused },
        });
        return tally;
    }
}
