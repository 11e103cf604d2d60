using Polyjuice.Isolation.Tests.Harness;

namespace Polyjuice.Isolation.Tests.Reporting;

/// <summary>
/// What a report says of each anomaly, word by word: it is what somebody has who looks for the error.
/// </summary>
public class ExplanationTests
{
    [Fact]
    public void A_history_that_is_fine_is_summed_up() =>
        Assert.Equal(
            "strict-serializable holds: 2 committed, 1 aborted, 1 unknown, 3 edges",
            IsolationChecker.Check(Script.Concurrent("a x 1", "r x [1]", "!a x 2", "?a x 3")).ToString());

    [Fact]
    public void What_was_found_comes_with_the_models_that_it_breaks_and_how_often() =>
        Says(
            Script.Concurrent("!a x 1", "r x [1]", "r x [1]"),
            "not read-committed, not snapshot-isolation, not serializable, not strong-session-serializable, not "
            + "strict-serializable: G1a ×2 in 2 committed, 1 aborted, 0 unknown, 2 edges",
            "G1a: T1 read [1] from list x, and 1 was written by T0, which aborted.",
            "G1a: T2 read [1] from list x, and 1 was written by T0, which aborted.");

    [Fact]
    public void What_breaks_only_stronger_models_than_the_one_checked_is_said_to_hold() =>
        Assert.StartsWith(
            "snapshot-isolation holds: G2-item ×1 in 2 committed",
            IsolationChecker.Check(
                Script.Concurrent("r y [], a x 1", "r x [], a y 1"),
                new CheckOptions { Model = ConsistencyModel.SnapshotIsolation }).ToString());

    [Fact]
    public void An_intermediate_read() =>
        Explains(
            Script.Concurrent("a x 1, a x 2", "r x [1]"),
            "G1b: T1 read [1] from list x, and T0 wrote more to it after 1.");

    [Fact]
    public void A_garbage_read() =>
        Explains(
            Script.Concurrent("w x 1", "r x 7"),
            "garbage-read: T1 read 7 from register x, and no transaction wrote 7 there.");

    [Fact]
    public void A_duplicate() =>
        Explains(
            Script.Concurrent("a x 1", "a x 2", "r x [1 2 2 1]"),
            "duplicate-elements: T2 read [1 2 2 1] from list x, where 1 is more than once.");

    [Fact]
    public void An_incompatible_order() =>
        Explains(
            Script.Concurrent("a x 1", "a x 2", "r x [1 2]", "r x [2]"),
            "incompatible-order: T3 read [2] from list x, which is not a prefix of the longest list known, [1 2].");

    [Fact]
    public void Appends_of_one_transaction_in_another_order() =>
        Explains(
            Script.Concurrent("a x 1, a x 2", "r x [2 1]"),
            "incompatible-order: T0 appended 1 to list x before 2, and the longest list known, [2 1], has 2 without 1 "
            + "before it.");

    [Fact]
    public void An_internal_contradiction()
    {
        Explains(
            Script.Concurrent("a x 1", "r x [1], a x 2, r x [1]"),
            "internal: T1 read [1] from list x, and by its own earlier steps it must be [1 2].\n    T1 committed: r x "
            + "[1], append x 2, r x [1]");
        Explains(
            Script.Concurrent("a x 1, a x 2, r x [2 1]"),
            "internal: T0 read [2 1] from list x, and by its own earlier steps it must be [… 1 2].\n    T0 committed: "
            + "append x 1, append x 2, r x [2 1]");
        Explains(
            Script.Concurrent("w x 1", "r x nil, r x 1"),
            "internal: T1 read 1 from register x, and by its own earlier steps it must be the initial state.\n    T1 "
            + "committed: r x nil, r x 1");
        Explains(
            Script.Concurrent("w x 1", "r x 1, r x nil"),
            "internal: T1 read the initial state from register x, and by its own earlier steps it must be 1.\n    T1 "
            + "committed: r x 1, r x nil");
    }

    [Fact]
    public void A_future_read() =>
        Explains(
            Script.Concurrent("r x [1], a x 1"),
            "future-read: T0 read [1] from list x, and wrote 1 there only later.\n    T0 committed: r x [1], "
            + "append x 1");

    [Fact]
    public void A_lost_update()
    {
        Explains(
            Script.Concurrent("a x 1", "r x [1], a x 2", "r x [1], a x 3"),
            "lost-update: T1 and T2 both read list x, it with 1 as the last element, and then both wrote it: one of "
            + "the updates is based on a state that the other replaced.\n    T1 committed: r x [1], append x 2\n    T2 "
            + "committed: r x [1], append x 3");
        Explains(
            Script.Concurrent("r x nil, w x 1", "r x nil, w x 2"),
            "lost-update: T0 and T1 both read register x, its initial state, and then both wrote it: one of the "
            + "updates is based on a state that the other replaced.\n    T0 committed: r x nil, w x 1\n    T1 "
            + "committed: r x nil, w x 2");
        Explains(
            Script.Concurrent("w x 1", "r x 1, w x 2", "r x 1, w x 3"),
            "lost-update: T1 and T2 both read register x, it with 1, and then both wrote it: one of the updates is "
            + "based on a state that the other replaced.\n    T1 committed: r x 1, w x 2\n    T2 committed: r "
            + "x 1, w x 3");
    }

    [Fact]
    public void A_dirty_update()
    {
        Explains(
            Script.Concurrent("!a x 1", "a x 2", "r x [1 2]"),
            "dirty-update: T1 appended 2 to list x after 1, which was appended by T0, which aborted.");
        Explains(
            Script.Concurrent("!w x 1", "r x 1, w x 2"),
            "dirty-update: T1 overwrote 1 in register x, which was written by T0, which aborted.");
    }

    [Fact]
    public void Versions_that_precede_each_other() =>
        Explains(
            Script.Concurrent("r x 1, w x 2", "r x 2, w x 1"),
            "cyclic-versions: of register x: each of these comes before every other: 1, 2.");

    [Fact]
    public void A_cycle_of_writes() =>
        Explains(
            Script.Concurrent("a x 1, a y 1", "a x 2, a y 2", "r x [1 2]", "r y [2 1]"),
            """
            G0: T0 -ww-> T1 -ww-> T0.
              T0 precedes T1: T1 appended 2 to list x after T0 appended 1.
              But T1 precedes T0: T0 appended 1 to list y after T1 appended 2: a cycle.
                T0 committed: append x 1, append y 1
                T1 committed: append x 2, append y 2
            """);

    [Fact]
    public void A_cycle_of_writes_of_registers()
    {
        var options = new CheckOptions
        {
            VersionOrders = new Dictionary<HistoryKey, IReadOnlyList<long>> { ["x"] = [1, 2], ["y"] = [2, 1] }
        };
        Assert.Contains(
            Text("""
                G0: T0 -ww-> T1 -ww-> T0.
                  T0 precedes T1: T1 wrote 2 to register x after T0 wrote 1.
                  But T1 precedes T0: T0 wrote 1 to register y after T1 wrote 2: a cycle.
                """),
            Text(IsolationChecker.Check(Script.Concurrent("w x 1, w y 1", "w x 2, w y 2"), options).ToString()));
    }

    [Fact]
    public void Of_several_writes_those_are_named_that_are_next_to_each_other() =>
        Explains(
            Script.Concurrent("a x 1, a x 2, a y 4", "a x 3, a x 5, a y 3", "r x [1 2 3 5]", "r y [3 4]"),
            "  T0 precedes T1: T1 appended 3 to list x after T0 appended 2.");

    [Fact]
    public void A_write_that_nobody_has_seen_yet() =>
        Explains(
            Script.Concurrent("a x 1, r y [1]", "a x 2, a y 1", "r x [1]"),
            "T1 appended 2 to list x after T0 appended 1, which no read of it had seen yet");

    [Fact]
    public void A_cycle_of_reads() =>
        Explains(
            Script.Concurrent("w x 1, w y 1", "r x 1, r y nil"),
            """
            G-single: T1 -rw-> T0 -wr-> T1.
              T1 precedes T0: T1 read the initial state from register y, which T0 overwrote with 1.
              But T0 precedes T1: T1 read 1 from register x, so it saw 1, which T0 wrote: a cycle.
                T1 committed: r x 1, r y nil
                T0 committed: w x 1, w y 1
            """);

    [Fact]
    public void A_cycle_through_a_process() =>
        Explains(
            new Script().Invoke(9, "r x [1]").Invoke(0, "a x 1").Ok(0).Invoke(0, "r x []").Ok(0).Ok(9).Build(),
            """
            G-single-process: T2 -rw-> T1 -process-> T2.
              T2 precedes T1: T2 read [] from list x, without 1, which T1 appended.
              But T1 precedes T2: process 0 ran one after the other: a cycle.
            """);

    [Fact]
    public void A_cycle_through_real_time() =>
        Explains(
            Script.InTurn("a x 1", "r x []"),
            """
            G-single-realtime: T1 -rw-> T0 -realtime-> T1.
              T1 precedes T0: T1 read [] from list x, without 1, which T0 appended.
              But T0 precedes T1: T0 was told at index 1, before T1 was invoked at index 2: a cycle.
            """);

    [Theory]
    [InlineData(24, "")]
    [InlineData(25, "  … 1 more transactions in between …")]
    [InlineData(30, "  … 6 more transactions in between …")]
    public void Of_a_long_cycle_the_text_has_the_beginning_and_the_end(int length, string gap)
    {
        var report = IsolationChecker.Check(
            Script.Concurrent([.. Enumerable.Range(0, length).Select(i => $"a k{i} 1, r k{(i + 1) % length} [1]")]));
        var anomaly = Assert.Single(report.Anomalies);
        Assert.Equal(length, anomaly.Cycle.Count);
        var lines = Text(anomaly.Explanation).Split('\n');
        Assert.Equal(24, lines.Count(static line => line.Contains(" precedes ")));
        Assert.Equal(gap, lines.SingleOrDefault(static line => line.Contains('…')) ?? "");
        if (gap.Length > 0) Assert.StartsWith("  But ", lines[Array.IndexOf(lines, gap) + 1]);
        Assert.Single(lines, static line => line.EndsWith(": a cycle.", StringComparison.Ordinal));
    }

    [Fact]
    public void What_is_no_anomaly_or_no_model_has_no_name()
    {
        Assert.Equal(
            "kind", Assert.Throws<ArgumentOutOfRangeException>(() => AnomalyNames.Of((AnomalyKind)99)).ParamName);
        Assert.Equal(
            "model",
            Assert.Throws<ArgumentOutOfRangeException>(() => AnomalyNames.Of((ConsistencyModel)99)).ParamName);
        Assert.StartsWith(
            "not an anomaly",
            Assert.Throws<ArgumentOutOfRangeException>(() => AnomalyNames.Of((AnomalyKind)99)).Message);
        Assert.StartsWith(
            "not a model",
            Assert.Throws<ArgumentOutOfRangeException>(() => AnomalyNames.Of((ConsistencyModel)99)).Message);
    }

    [Fact]
    public void A_model_that_was_not_checked_is_named_when_it_is_asked_for()
    {
        var report = IsolationChecker.Check(
            Script.Concurrent("a x 1"), new CheckOptions { Model = ConsistencyModel.Serializable });
        Assert.StartsWith(
            "only serializable was checked",
            Assert.Throws<ArgumentOutOfRangeException>(
                () => report.Holds(ConsistencyModel.StrictSerializable)).Message);
    }

    [Fact]
    public void What_can_not_be_checked_is_refused()
    {
        Assert.Throws<ArgumentNullException>(() => IsolationChecker.Check(null!));
        Assert.Throws<ArgumentOutOfRangeException>(
            () => IsolationChecker.Check(Script.Concurrent("a x 1"), new CheckOptions { ExamplesMax = 0 }));
    }

    private static void Explains(History history, string expected) =>
        Assert.Contains(Text(expected), Text(IsolationChecker.Check(history).ToString()));

    private static void Says(History history, params string[] lines) =>
        Assert.Equal(string.Join('\n', lines), Text(IsolationChecker.Check(history).ToString()));

    private static string Text(string text) => text.ReplaceLineEndings("\n");
}
