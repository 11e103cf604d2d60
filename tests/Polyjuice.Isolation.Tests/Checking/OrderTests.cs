using Polyjuice.Isolation.Tests.Harness;

namespace Polyjuice.Isolation.Tests.Checking;

/// <summary>Cycles that need the order of a process, or real time.</summary>
public class OrderTests
{
    private static readonly CheckOptions Sessions = new() { Model = ConsistencyModel.StrongSessionSerializable };
    private static readonly CheckOptions Serializable = new() { Model = ConsistencyModel.Serializable };

    [Theory]
    [InlineData(AnomalyKind.G0RealTime, "a x 1", "a x 2", "r x [2 1]")]
    [InlineData(AnomalyKind.G1cRealTime, "r x [1]", "a x 1")]
    [InlineData(AnomalyKind.GSingleRealTime, "a x 1", "r x []")]
    public void What_was_told_before_comes_before(AnomalyKind kind, params string[] transactions)
    {
        Expect.Anomalies(Script.InTurn(transactions), kind).Fails(ConsistencyModel.StrictSerializable);
        Expect.Anomalies(Script.Concurrent(transactions));
        Expect.Anomalies(Script.InTurn(transactions), Serializable);
    }

    [Fact]
    public void Two_stale_reads_that_need_each_other_are_G_nonadjacent_with_real_time()
    {
        // T0 reads x before T1 writes it; T1 is told before T2 begins;
        // T2 reads y before T3 writes it; T3 is told before T0 begins.
        var script = new Script().Invoke(1, "a x 1").Invoke(3, "a y 1").Ok(1).Ok(3).Invoke(0, "r x []")
            .Invoke(2, "r y []").Ok(0).Ok(2);
        Expect.Anomalies(script.Build(), AnomalyKind.GSingleRealTime);
        script = new Script().Invoke(1, "a x 1").Invoke(2, "r y []").Invoke(0, "r x [], r z [1]")
            .Invoke(3, "a y 1, a z 1").Ok(0).Ok(1).Ok(2).Ok(3);
        Expect.Anomalies(script.Build());
        script = new Script().Invoke(0, "r x [], r z [1]").Invoke(3, "a y 1, a z 1").Invoke(1, "a x 1").Ok(1)
            .Invoke(2, "r y []").Ok(2).Ok(0).Ok(3);
        Expect.Anomalies(script.Build(), AnomalyKind.GNonadjacentRealTime).Fails(ConsistencyModel.StrictSerializable);
    }

    [Fact]
    public void Anti_dependencies_in_succession_and_real_time_are_G2_item_with_real_time()
    {
        // T0 did not see T1, which did not see T2, which was told before T0 began.
        var script = new Script().Invoke(1, "r y [], a x 1").Invoke(2, "a y 1").Ok(2).Invoke(0, "r x []").Ok(0).Ok(1);
        Expect.Anomalies(script.Build(), AnomalyKind.G2ItemRealTime).Fails(ConsistencyModel.StrictSerializable);
        script = new Script().Invoke(1, "r y [], a x 1").Invoke(2, "a y 1").Invoke(0, "r x []").Ok(2).Ok(0).Ok(1);
        Expect.Anomalies(script.Build());
    }

    [Theory]
    [InlineData(AnomalyKind.G0Process, "a x 1", "a x 2", "r x [2 1]")]
    [InlineData(AnomalyKind.G1cProcess, "r x [1]", "a x 1", "r x [1]")]
    [InlineData(AnomalyKind.GSingleProcess, "a x 1", "r x []", "r x [1]")]
    public void What_a_process_did_in_order_stays_in_order(AnomalyKind kind, string first, string second, string reader)
    {
        var history = new Script().Invoke(9, reader).Invoke(0, first).Ok(0).Invoke(0, second).Ok(0).Ok(9).Build();
        Expect.Anomalies(history, Sessions, kind).Fails(ConsistencyModel.StrongSessionSerializable);
        Expect.Anomalies(history, kind)
            .Fails(ConsistencyModel.StrongSessionSerializable, ConsistencyModel.StrictSerializable);
        Expect.Anomalies(history, Serializable);
        var others = new Script().Invoke(9, reader).Invoke(0, first).Ok(0).Invoke(1, second).Ok(1).Ok(9).Build();
        Expect.Anomalies(others, Sessions);
    }

    [Fact]
    public void A_long_fork_closed_by_a_process_is_G_nonadjacent_process()
    {
        var history = new Script().Invoke(2, "a x 1").Invoke(3, "a y 1")
            .Invoke(0, "r x [1]").Ok(0).Invoke(0, "r y []").Ok(0)
            .Invoke(1, "r y [1], r x []").Ok(1).Ok(2).Ok(3).Build();
        Expect.Anomalies(history, Sessions, AnomalyKind.GNonadjacentProcess);
    }

    [Fact]
    public void Anti_dependencies_in_succession_closed_by_a_process_are_G2_item_process()
    {
        var history = new Script().Invoke(1, "r y [], a x 1").Invoke(0, "a y 1").Ok(0).Invoke(0, "r x []").Ok(0).Ok(1)
            .Build();
        Expect.Anomalies(history, Sessions, AnomalyKind.G2ItemProcess);
    }

    [Fact]
    public void A_cycle_that_needs_no_order_is_not_blamed_on_it()
    {
        var history = new Script().Invoke(0, "a x 1, a y 1").Ok(0).Invoke(1, "r x [1], r y []").Ok(1).Build();
        Expect.Anomalies(history, AnomalyKind.GSingle);
    }

    [Fact]
    public void A_model_that_was_not_checked_has_no_verdict()
    {
        var report = IsolationChecker.Check(Script.InTurn("a x 1", "r x []"), Serializable);
        Assert.True(report.IsValid);
        Assert.Throws<ArgumentOutOfRangeException>(() => report.Holds(ConsistencyModel.StrictSerializable));
    }

    [Fact]
    public void A_real_time_step_says_when_each_was_told_and_invoked()
    {
        var report = Expect.Anomalies(Script.InTurn("a x 1", "r x []"), AnomalyKind.GSingleRealTime);
        Assert.Contains("T0 was told at index 1, before T1 was invoked at index 2", report.Anomalies[0].Explanation);
    }
}
