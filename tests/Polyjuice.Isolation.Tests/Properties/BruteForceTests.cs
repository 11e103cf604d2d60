using FsCheck;
using FsCheck.Fluent;
using Polyjuice.Isolation.Tests.Harness;
using Polyjuice.Tests.Shared;

namespace Polyjuice.Isolation.Tests.Properties;

/// <summary>
/// The checker and a search through all serial orders agree on small histories. For lists they agree exactly: every
/// read shows the order of all that it saw, and what nobody saw comes after. For registers that are always read before
/// they are written, by transactions whose outcome is known, too. For registers written blindly the order of writes may
/// be unknown, so there the checker may miss what the search finds, and it must only never accuse what is serializable.
/// </summary>
public class BruteForceTests
{
    private static readonly CheckOptions Strict = new();
    private static readonly CheckOptions Serializable = new() { Model = ConsistencyModel.Serializable };

    [Theory]
    [InlineData(Keys.Lists)]
    [InlineData(Keys.UpdatedRegisters)]
    [InlineData(Keys.BlindRegisters)]
    public void A_serial_execution_shows_no_anomaly(Keys kind) => ForSeeds(2_000, seed =>
    {
        var history = SerialHistory.Of(seed, kind, 30, 4);
        var report = IsolationChecker.Check(history);
        Assert.True(report.Counts.Count == 0, $"seed {seed}: {report}");
        if (kind == Keys.Lists) return;
        report = IsolationChecker.Check(history, new CheckOptions { LinearizableKeys = true });
        Assert.True(report.Counts.Count == 0, $"seed {seed}, linearizable keys: {report}");
    });

    [Theory]
    [InlineData(Keys.Lists)]
    [InlineData(Keys.UpdatedRegisters)]
    public void A_changed_history_is_accused_exactly_if_no_serial_order_explains_it(Keys kind)
    {
        var (strict, weak, fine) = (0, 0, 0);
        ForSeeds(3_000, seed =>
        {
            var history = SerialHistory.Mutated(seed, kind);
            var isSerializable = BruteForce.IsSerializable(history, realTime: false);
            var isStrict = BruteForce.IsSerializable(history, realTime: true);
            Agree(seed, history, isSerializable, IsolationChecker.Check(history, Serializable));
            Agree(seed, history, isStrict, IsolationChecker.Check(history, Strict));
            if (isStrict) fine++;
            else if (isSerializable) strict++;
            else weak++;
        });

        // The generator makes enough of each for the agreement to mean something.
        Assert.All([strict, weak, fine], count => Assert.InRange(count, 50, 2_900));
    }

    [Fact]
    public void Blind_writes_are_never_accused_of_what_a_serial_order_explains()
    {
        var (accused, fine) = (0, 0);
        ForSeeds(3_000, seed =>
        {
            var history = SerialHistory.Mutated(seed, Keys.BlindRegisters);
            var report = IsolationChecker.Check(history, Strict);
            if (!report.IsValid)
            {
                accused++;
                Assert.False(BruteForce.IsSerializable(history, realTime: true), $"seed {seed}: {report}");
            }
            else
            {
                fine++;
            }
        });
        Assert.All([accused, fine], count => Assert.InRange(count, 50, 2_950));
    }

    private static void Agree(int seed, History history, bool expected, IsolationReport report)
    {
        foreach (var anomaly in report.Anomalies) Expect.IsExplained(anomaly);
        Assert.True(
            expected == report.IsValid,
            $"seed {seed}: a serial order {(expected ? "exists" : "does not exist")}; "
            + $"{report}\n{string.Join('\n', history.Transactions.Select(t => $"{t.InvokeIndex}-{t.CompleteIndex} {t}"))}");
    }

    private static void ForSeeds(int count, Action<int> check) =>
        Prop.ForAll(Gen.Choose(1, int.MaxValue).ToArbitrary(), check).Holds(count);
}
