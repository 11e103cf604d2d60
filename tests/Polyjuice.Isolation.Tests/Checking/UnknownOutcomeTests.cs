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
    public void It_may_not_have_committed_by_half() =>
        Expect.Anomalies(Script.Concurrent("?a x 1, a y 1", "r x [1], r y []"), AnomalyKind.GSingle);

    [Fact]
    public void It_may_take_effect_long_after_its_client_was_told()
    {
        var history = new Script().Invoke(0, "a x 1").Info(0).Invoke(1, "r x []").Ok(1).Invoke(2, "r x [1]").Ok(2)
            .Build();
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

    [Fact]
    public void Its_reads_order_versions_if_they_are_known_and_it_took_effect()
    {
        // Without what T1 read nobody could tell that 3 comes after 1, and so that T3 read before it.
        Expect.Anomalies(Unknown(seesWrite: true, saysReads: false));
        Expect.Anomalies(Unknown(seesWrite: true, saysReads: true), AnomalyKind.GSingle);
    }

    [Fact]
    public void Its_reads_say_nothing_if_it_may_not_have_taken_effect() =>
        Expect.Anomalies(Unknown(seesWrite: false, saysReads: true));

    [Fact]
    public void What_it_read_took_effect_as_well()
    {
        var history = new Script().Invoke(0, "w x 1, w z 1").Invoke(1, "r x 1, w y 2").Invoke(2, "r y 2, r z nil")
            .Info(0).InfoWithReads(1).Ok(2).Build();

        Expect.Anomalies(history, AnomalyKind.GSingle);
    }

    [Fact]
    public void Its_reads_can_be_aborted_reads()
    {
        var history = new Script().Invoke(0, "w x 1").Invoke(1, "r x 1, w y 2").Invoke(2, "r y 2")
            .Fail(0).InfoWithReads(1).Ok(2).Build();

        Expect.Anomalies(history, AnomalyKind.G1a);
    }

    /// <summary>
    /// T0 writes x and y; T1, unknown, overwrites x and y; T2 may see that of x; T3 sees it of y, and the old x.
    /// </summary>
    private static History Unknown(bool seesWrite, bool saysReads)
    {
        var script = new Script().Invoke(0, "w x 1").Invoke(1, "r x 1, w x 3, w y 3")
            .Invoke(3, seesWrite ? "r y 3, r x 1" : "r x 1");
        script.Ok(0).Ok(3);
        return (saysReads ? script.InfoWithReads(1) : script.Info(1)).Build();
    }
}
