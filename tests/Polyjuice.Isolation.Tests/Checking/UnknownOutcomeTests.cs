using Polyjuice.Isolation.Tests.Harness;

namespace Polyjuice.Isolation.Tests.Checking;

/// <summary>A transaction of unknown outcome committed if its writes are seen, and says nothing otherwise.</summary>
public class UnknownOutcomeTests
{
    [Fact]
    public void It_may_have_committed() => Expect.Anomalies(Script.Concurrent("?a x 1, a y 1", "r x [1], r y [1]"));

    [Fact]
    public void It_may_not_have_committed() => Expect.Anomalies(Script.Concurrent("?a x 1, a y 1", "r x [], r y []"));

    [Fact]
    public void It_may_not_have_committed_by_half() => Expect.Anomalies(Script.Concurrent("?a x 1, a y 1", "r x [1], r y []"), AnomalyKind.GSingle);

    [Fact]
    public void It_may_take_effect_long_after_its_client_was_told()
    {
        var history = new Script().Invoke(0, "a x 1").Info(0).Invoke(1, "r x []").Ok(1).Invoke(2, "r x [1]").Ok(2).Build();
        Expect.Anomalies(history);
    }

    [Fact]
    public void It_takes_no_effect_before_it_was_invoked()
    {
        var history = new Script().Invoke(2, "r x [1]").Ok(2).Invoke(0, "a x 1").Info(0).Build();
        Expect.Anomalies(history, AnomalyKind.G1cRealTime);
    }

    [Fact]
    public void What_never_completed_is_unknown()
    {
        var history = new Script().Invoke(0, "a x 1").Invoke(1, "r x [1]").Ok(1).Build();
        Assert.Equal(TransactionOutcome.Unknown, history.Transactions[0].Outcome);
        Expect.Anomalies(history);
    }

    [Fact]
    public void Its_reads_are_not_known_so_nothing_follows_from_them()
    {
        var history = Script.Concurrent("?r y [5], a x 1", "r x [1], a y 5", "r y [5]");
        Expect.Anomalies(history);
    }
}
