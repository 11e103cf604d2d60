using Polyjuice.Isolation.Tests.Harness;
using Polyjuice.Tests.Shared;
using Xunit.Abstractions;

namespace Polyjuice.Isolation.Tests.Checking;

/// <summary>
/// Large histories are checked in time that grows with their size,
/// also when they are very wrong, and on a stack of any depth.
/// </summary>
public class PerformanceTests(ITestOutputHelper output)
{
    private const int Transactions = 100_000;

    /// <summary>Of processor time.</summary>
    private static readonly TimeSpan Bound = TimeSpan.FromSeconds(20);

    [Theory]
    [InlineData(Keys.Lists)]
    [InlineData(Keys.UpdatedRegisters)]
    [InlineData(Keys.BlindRegisters)]
    public void A_hundred_thousand_fine_transactions_are_checked_in_seconds(Keys kind)
    {
        var report = Measure($"{kind}", SerialHistory.Of(17, kind, Transactions, Transactions / 10));
        Assert.Empty(report.Counts);
    }

    [Fact]
    public void One_cycle_through_a_hundred_thousand_transactions_is_found()
    {
        var report = Measure(
            "one cycle",
            Script.Concurrent([
                .. Enumerable.Range(0, Transactions).Select(i => $"a k{i} 1, r k{(i + 1) % Transactions} [1]")
            ]));
        Assert.Equal([AnomalyKind.G1c], report.Counts.Keys);
        Assert.Equal(Transactions, report.Anomalies[0].Cycle.Count);
    }

    [Fact]
    public void A_hundred_thousand_updates_of_one_state_are_found()
    {
        var report = Measure(
            "all updates lost", Script.InTurn([.. Enumerable.Range(0, Transactions).Select(i => $"r x [], a x {i}")]));
        Assert.Equal(Transactions - 1, report.Counts[AnomalyKind.LostUpdate]);
        Assert.Equal([AnomalyKind.G2Item, AnomalyKind.LostUpdate], report.Counts.Keys.Order());
        Assert.Equal(2, report.Anomalies[0].Cycle.Count);
    }

    [Fact]
    public void Stale_reads_throughout_are_found()
    {
        // Everyone reads what was there ten transactions before.
        var report = Measure(
            "stale reads",
            Script.InTurn([
                .. Enumerable.Range(0, Transactions)
                .Select(i => i % 10 == 0 ? $"a k{i / 1000} {i}" : $"r k{i / 1000} []")
            ]));
        Assert.Equal([AnomalyKind.GSingleRealTime], report.Counts.Keys);
    }

    [Fact]
    public void A_hundred_thousand_transactions_are_written_and_read_in_seconds()
    {
        var history = SerialHistory.Of(18, Keys.Lists, Transactions, Transactions / 10);
        var begin = ThreadTime.Now;
        var text = new StringWriter();
        var writer = new HistoryWriter(text);
        foreach (var operation in history.Operations) writer.Write(operation);
        var written = ThreadTime.Now;
        var again = HistoryReader.Read(new StringReader(text.ToString()));
        var read = ThreadTime.Now;
        output.WriteLine(
            $"{text.GetStringBuilder().Length} characters written in {(written - begin).TotalSeconds:0.00} s, read in "
            + $"{(read - written).TotalSeconds:0.00} s");
        Assert.Equal(Transactions, again.Transactions.Count);
        Assert.InRange(read - begin, TimeSpan.Zero, Bound);
    }

    private IsolationReport Measure(string what, History history)
    {
        var begin = ThreadTime.Now;
        var report = IsolationChecker.Check(history);
        var took = ThreadTime.Now - begin;
        output.WriteLine(
            $"{what}: {history.Transactions.Count} transactions in {took.TotalSeconds:0.00} s; {report.Size}");
        Assert.InRange(took, TimeSpan.Zero, Bound);
        return report;
    }
}
