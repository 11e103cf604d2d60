using Polyjuice.Lab.Reporting;
using Polyjuice.Lab.Training;

namespace Polyjuice.Lab.Tests.Training;

public class LearningTableTests
{
    [Theory]
    [InlineData(1_200, 1_100, 1_300, "+20% beside occ, the best of the others, and its slowest interval more")]
    [InlineData(1_040, 900, 1_100, "+4% beside occ, the best of the others; their intervals overlap")]
    [InlineData(700, 600, 800, "makes less than occ")]
    public void The_sentence_says_no_more_than_was_measured(
        double median, double least, double most, string expected) =>
        Assert.Contains(
            expected,
            LearningTable.Sentence(Row("learned", median, least, most), Row("occ", 1_000, 950, 1_050)),
            StringComparison.Ordinal);

    [Fact]
    public void Seconds_around_a_swap_are_shown_with_where_it_was_and_what_failed()
    {
        var lines = SwapTable.Of(new SwapResult([500, 1_000], 1, 2), "ic3", "learned").Split('\n');

        Assert.Equal(3, lines.Length);
        Assert.Contains("500/s", lines[0], StringComparison.Ordinal);
        Assert.DoesNotContain("←", lines[0], StringComparison.Ordinal);
        Assert.EndsWith("← from ic3 to learned", lines[1], StringComparison.Ordinal);
        Assert.Equal(2 * lines[0].Count(character => character == '█'), lines[1].Count(character => character == '█'));
        Assert.Equal("2 calls failed.", lines[2]);
    }

    private static BenchmarkRow Row(string policy, double median, double least, double most) => new()
    {
        Workload = "micro", Policy = policy, Theta = 0, Silos = 2, Clients = 64, NetworkMs = 1, AppendMs = 5,
        CommittedPerSecond = median, CommittedPerSecondMin = least, CommittedPerSecondMax = most, AbortedShare = 0,
        P50Ms = 1, P95Ms = 1, P99Ms = 1, BytesPerTransaction = 0, MessagesPerTransaction = 0, AppendsPerTransaction = 0,
        NotStarted = 0, Accounts = 0, Seed = 1, Machine = "", AbortsByReason = new Dictionary<string, long>(),
        WaitsEndedByDeadline = 0, Repeat = 5, RetriesPerTransaction = 0, Committed = 0, Declined = 0, Attempts = 0,
        Seconds = 1, WaitsPerTransaction = 0, GivenUp = 0, InDoubt = 0,
    };
}
