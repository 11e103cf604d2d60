using Polyjuice.Isolation.Tests.Harness;

namespace Polyjuice.Isolation.Tests.Checking;

/// <summary>
/// Each kind of cycle, in a history made by hand to have it and nothing else, and the nearest history that is fine.
/// </summary>
public class CycleTests
{
    private static readonly ConsistencyModel[] FromReadUncommitted = Enum.GetValues<ConsistencyModel>();
    private static readonly ConsistencyModel[] FromReadCommitted = FromReadUncommitted[1..];
    private static readonly ConsistencyModel[] FromSnapshots = FromReadUncommitted[2..];
    private static readonly ConsistencyModel[] FromSerializable = FromReadUncommitted[3..];

    [Fact]
    public void Two_lists_written_in_opposite_orders_are_G0()
    {
        var report = Expect.Anomalies(
            Script.Concurrent("a x 1, a y 1", "a x 2, a y 2", "r x [1 2]", "r y [2 1]"), AnomalyKind.G0);
        report.Fails(FromReadUncommitted);
        Expect.Anomalies(Script.Concurrent("a x 1, a y 1", "a x 2, a y 2", "r x [1 2]", "r y [1 2]"));
    }

    [Fact]
    public void Two_transactions_that_read_each_others_appends_are_G1c()
    {
        Expect.Anomalies(Script.Concurrent("a x 1, r y [1]", "a y 1, r x [1]"), AnomalyKind.G1c)
            .Fails(FromReadCommitted);
        Expect.Anomalies(Script.Concurrent("a x 1, r y [1]", "a y 1, r x []"));
    }

    [Fact]
    public void Reading_after_one_overwrote_and_before_is_G1c()
    {
        Expect.Anomalies(Script.Concurrent("a x 1, r y [1]", "a x 2, a y 1", "r x [1 2]"), AnomalyKind.G1c);
        Expect.Anomalies(Script.Concurrent("a x 1, r y [1]", "a x 2, a y 1", "r x [2 1]"));
    }

    [Fact]
    public void Seeing_half_of_a_transaction_is_G_single()
    {
        Expect.Anomalies(Script.Concurrent("a x 1, a y 1", "r x [1], r y []"), AnomalyKind.GSingle).Fails(
            FromSnapshots);
        Expect.Anomalies(Script.Concurrent("a x 1, a y 1", "r x [1], r y [1]"));
        Expect.Anomalies(Script.Concurrent("a x 1, a y 1", "r x [], r y []"));
    }

    [Fact]
    public void A_long_fork_is_G_nonadjacent()
    {
        Expect.Anomalies(
            Script.Concurrent("a x 1", "r x [1], r y []", "a y 1", "r y [1], r x []"), AnomalyKind.GNonadjacent)
            .Fails(
                FromSnapshots);
        Expect.Anomalies(Script.Concurrent("a x 1", "r x [1], r y []", "a y 1", "r y [1], r x [1]"));
    }

    [Fact]
    public void Write_skew_is_G2_item()
    {
        Expect.Anomalies(Script.Concurrent("r y [], a x 1", "r x [], a y 1"), AnomalyKind.G2Item).Fails(
            FromSerializable);
        Expect.Anomalies(Script.Concurrent("r y [], a x 1", "r x [1], a y 1"));
    }

    [Fact]
    public void Write_skew_of_three_is_one_cycle_of_three()
    {
        var report = Expect.Anomalies(
            Script.Concurrent("r y [], a x 1", "r z [], a y 1", "r x [], a z 1", "r x [1], r y [1], r z [1]"),
            AnomalyKind.G2Item);
        Assert.Equal([0, 1, 2], report.Anomalies[0].Cycle.Select(s => s.From.Number));
        Assert.All(report.Anomalies[0].Cycle, s => Assert.Equal(DependencyKind.ReadWrite, s.Kind));
    }

    [Fact]
    public void The_shortest_cycle_of_a_component_is_shown()
    {
        var report = Expect.Anomalies(
            Script.Concurrent(
                "r y [], a x 1", "r z [], a y 1", "r x [], a z 1, r w []", "r z [], a w 1",
                "r x [1], r y [1], r z [1], r w [1]"),
            AnomalyKind.G2Item);
        Assert.Equal([2, 3], report.Anomalies[0].Cycle.Select(s => s.From.Number));
    }

    [Fact]
    public void Two_separate_cycles_are_counted_as_two()
    {
        var report = Expect.Anomalies(
            Script.Concurrent("r y [], a x 1", "r x [], a y 1", "r v [], a u 1", "r u [], a v 1"), AnomalyKind.G2Item);
        Assert.Equal(2, report.Counts[AnomalyKind.G2Item]);
        Assert.Equal(2, report.Anomalies.Count);
    }

    [Fact]
    public void No_more_examples_are_kept_than_asked_for()
    {
        var history = Script.Concurrent("r y [], a x 1", "r x [], a y 1", "r v [], a u 1", "r u [], a v 1");
        var report = IsolationChecker.Check(history, new CheckOptions { ExamplesMax = 1 });
        Assert.Equal(2, report.Counts[AnomalyKind.G2Item]);
        Assert.Single(report.Anomalies);
    }

    [Fact]
    public void A_write_that_nobody_read_comes_after_all_that_were()
    {
        // The tail of y is not read, and who read y without it is still known to have come before.
        Expect.Anomalies(Script.Concurrent("r y [1], a x 1", "a y 1", "r x [1], a y 2", "r y [1], r x []"));
        Expect.Anomalies(Script.Concurrent("r y [1], r x [1]", "a y 1", "a y 2, a x 1"), AnomalyKind.GSingle);
    }

    [Fact]
    public void Many_readers_of_a_state_and_many_writes_that_nobody_read_are_all_paired()
    {
        // More pairs than are linked directly. Each transaction reads x
        // and appends to it: only its own append does not precede it.
        var readers = Enumerable.Range(0, 40).Select(i => $"r x [], r y{i} []");
        var writers = Enumerable.Range(0, 40).Select(i => $"a x {i + 1}, a y{i} 1");
        Expect.Anomalies(Script.Concurrent([.. readers, .. writers]));
        for (var reader = 0; reader < 40; reader += 13)
        {
            string[] all = [.. readers, .. writers];
            all[reader] = $"r x [], r y{(reader + 7) % 40} [1]";
            var report = Expect.Anomalies(Script.Concurrent(all), AnomalyKind.GSingle);
            Assert.Equal(
                [40 + (reader + 7) % 40, reader],
                report.Anomalies[0].Cycle.Select(s => s.From.Number).OrderDescending());
        }
    }

    [Fact]
    public void The_explanation_says_what_was_read_and_what_was_missed()
    {
        var report = Expect.Anomalies(Script.Concurrent("a x 1, a y 1", "r x [1], r y []"), AnomalyKind.GSingle);
        Assert.Contains("T1 read [] from list y, without 1, which T0 appended", report.Anomalies[0].Explanation);
        Assert.Contains("T1 read [1] from list x, so it saw 1, which T0 appended", report.Anomalies[0].Explanation);
        Assert.StartsWith("not snapshot-isolation, not serializable", report.ToString());
    }
}
