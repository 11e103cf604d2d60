using Polyjuice.Training.Provenance;
using Polyjuice.Training.Replay;
using Polyjuice.Training.Scoring;

namespace Polyjuice.Training.Tests.Provenance;

public sealed class TrainingOriginTests
{
    [Fact]
    public void What_a_training_has_written_is_told_in_sentences()
    {
        var workload = ReplayWorkload.Of(SyntheticTraces.Micro(), 1);
        var plan = new TrainingPlan
        {
            Workload = workload,
                Settings =
                new ReplaySettings { Silos = 1, CoresPerSilo = 2, NetworkMicroseconds = 500,
                AppendMicroseconds = 5_000 }, Name = "found",
        };
        var result = new TrainingResult(
            plan.Parent with { Name = "found" }, Trial("found", 1_100, 1_122),
                [Trial("occ", 500, 500), Trial("ic3", 1_000, 1_000)], [], 10, TimeSpan.Zero, false);

        var origin =
            TrainingOrigin.Parse(TrainingProvenance.Write(plan, result, "digest", "monday", DateTimeOffset.UnixEpoch));

        Assert.Equal(
            [
                $"It was trained on {workload.Count} transactions of monday, with 64 clients, "
                + "1 silo with 2 processors each, 0.5 ms a message and 5 ms an append.",
                "On held-out data it made 1,111/s there, 11.1% ±1.1% more than ic3, the best of the others.",
            ],
            origin.Sentences());
    }

    [Theory]
    [InlineData("", "no provenance")]
    [InlineData("null", "no training")]
    [InlineData("{ \"schema\": 1 }", "no provenance")]
    [InlineData(
        """{ "schema": 9, "policy": "x", "trace": { "source": "" }, "cluster": {}, "heldOut": [] }""",
        "schema is 9")]
    public void Another_file_is_refused(string text, string expected) =>
        Assert.Contains(expected, Assert.Throws<FormatException>(() => TrainingOrigin.Parse(text)).Message,
            StringComparison.Ordinal);

    private static TrialResult Trial(string name, params double[] scores) =>
        new(name, scores, [.. scores.Select(score => new ReplayScore(score, 0, 1, 1, 1, 0, 1, 1, false, 0))]);
}
