using Polyjuice.Isolation.Tests.Harness;

namespace Polyjuice.Isolation.Tests.Checking;

/// <summary>Registers, whose version orders have to be inferred.</summary>
public class RegisterTests
{
    [Fact]
    public void A_write_follows_what_its_transaction_read() =>
        Expect.Anomalies(
            Script.Concurrent("r x nil, w x 1, r y 2", "r x 1, w x 2, w y 2"), AnomalyKind.G1c);

    [Fact]
    public void The_initial_state_comes_first()
    {
        Expect.Anomalies(Script.Concurrent("w x 1, w y 1", "r x 1, r y nil"), AnomalyKind.GSingle);
        Expect.Anomalies(Script.Concurrent("r y nil, w x 1", "r x nil, w y 1"), AnomalyKind.G2Item);
        Expect.Anomalies(
            Script.Concurrent("w x 1", "r x 1, r y nil", "w y 1", "r y 1, r x nil"), AnomalyKind.GNonadjacent);
        Expect.Anomalies(Script.Concurrent("w x 1, w y 1", "r x nil, r y nil"));
    }

    [Fact]
    public void Another_initial_value_can_be_named()
    {
        var history = Script.Concurrent("w x 1, w y 1", "r x 1, r y 0");
        Expect.Anomalies(history, AnomalyKind.GarbageRead);
        Expect.Anomalies(history, new CheckOptions { InitialValue = 0 }, AnomalyKind.GSingle);
    }

    [Fact]
    public void A_stale_read_needs_real_time()
    {
        Expect.Anomalies(Script.InTurn("w x 1", "r x nil"), AnomalyKind.GSingleRealTime);
        Expect.Anomalies(Script.InTurn("r x nil, w x 1", "r x 1, w x 2", "r x 1"), AnomalyKind.GSingleRealTime);
        Expect.Anomalies(Script.Concurrent("w x 1", "r x nil"));
    }

    [Fact]
    public void The_order_of_blind_writes_is_not_known_until_it_is_given()
    {
        var history = Script.Concurrent("w x 1, w y 1", "w x 2, w y 2", "r x 2", "r y 1");
        Expect.Anomalies(history);
        var options = new CheckOptions
        {
            VersionOrders = new Dictionary<HistoryKey, IReadOnlyList<long>> { ["x"] = [1, 2], ["y"] = [2, 1] }
        };
        Expect.Anomalies(history, options, AnomalyKind.G0);
        options = new CheckOptions
        {
            VersionOrders = new Dictionary<HistoryKey, IReadOnlyList<long>> { ["x"] = [1, 2], ["y"] = [1, 2] }
        };
        Expect.Anomalies(history, options);
    }

    [Fact]
    public void A_given_order_of_a_list_orders_appends_that_nobody_read()
    {
        var history = Script.Concurrent("a x 1, a y 1", "a x 2, a y 2");
        Expect.Anomalies(history);
        var options = new CheckOptions
        {
            VersionOrders = new Dictionary<HistoryKey, IReadOnlyList<long>> { ["x"] = [1, 2], ["y"] = [2, 1] }
        };
        Expect.Anomalies(history, options, AnomalyKind.G0);
    }

    [Fact]
    public void A_given_order_of_a_list_that_reads_contradict_is_incompatible()
    {
        var options = new CheckOptions
        {
            VersionOrders = new Dictionary<HistoryKey, IReadOnlyList<long>> { ["x"] = [2, 1] }
        };
        var report = IsolationChecker.Check(Script.Concurrent("a x 1", "a x 2", "r x [1]"), options);
        Assert.Contains(AnomalyKind.IncompatibleOrder, report.Counts.Keys);
    }

    [Fact]
    public void Linearizable_keys_take_their_order_from_real_time()
    {
        // Whether 1 or 2 came last, nothing but real time says.
        var history = new Script().Invoke(0, "w x 1").Ok(0).Invoke(1, "w x 2, w y 3").Invoke(2, "r y 3, r x 1").Ok(1)
            .Ok(2).Build();
        Expect.Anomalies(history, new CheckOptions { Model = ConsistencyModel.Serializable });
        Expect.Anomalies(
            history, new CheckOptions { Model = ConsistencyModel.Serializable, LinearizableKeys = true },
            AnomalyKind.GSingle);
    }

    [Fact]
    public void Linearizable_keys_pass_what_overlaps()
    {
        var history = new Script().Invoke(0, "w x 1").Invoke(1, "w x 2").Ok(0).Ok(1).Invoke(2, "r x 1").Ok(2).Build();
        Expect.Anomalies(history, new CheckOptions { LinearizableKeys = true });
    }

    [Fact]
    public void Versions_that_precede_each_other_are_cyclic()
    {
        var report = IsolationChecker.Check(Script.Concurrent("r x 1, w x 2", "r x 2, w x 1"));
        Assert.Equal([AnomalyKind.G1c, AnomalyKind.CyclicVersions], report.Anomalies.Select(a => a.Kind));
    }

    [Fact]
    public void A_list_and_a_register_may_share_a_history_but_not_a_key()
    {
        Expect.Anomalies(Script.Concurrent("a x 1, w y 1", "r x [1], r y nil"), AnomalyKind.GSingle);
        var refusal = Assert.Throws<HistoryException>(
            () => IsolationChecker.Check(Script.Concurrent("a x 1", "w x 2")));
        Assert.Contains("as a register, and earlier it is used as a list", refusal.Message);
    }
}
