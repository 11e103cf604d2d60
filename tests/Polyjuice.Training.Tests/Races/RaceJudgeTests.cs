using Polyjuice.Policies;
using Polyjuice.Training.Races;

namespace Polyjuice.Training.Tests.Races;

public sealed class RaceJudgeTests
{
    private const int Rounds = 6;

    private readonly RaceTrack _track = new();

    [Fact]
    public async Task A_found_table_that_makes_more_in_rounds_of_its_own_is_better()
    {
        _track.Noise(0.05, seed: 1);
        var verdict = await JudgeAsync(
            [_track.Table("new-1", 900), _track.Table("new-2", 1_400)],
            [_track.Table("old-1", 1_000), _track.Table("old-2", 800)]);

        Assert.True(verdict.IsBetter);
        Assert.Equal(("new-2", "old-1", Rounds), (verdict.Found.Name, verdict.Best.Name, verdict.Rates.Count));
        Assert.InRange(verdict.Gain.Ratio, 1.3, 1.5);
        Assert.InRange(verdict.FoundRate, 1_330, 1_470);
        Assert.InRange(verdict.BestRate, 950, 1_050);
        Assert.Equal(4, verdict.Standings.Count);
    }

    [Fact]
    public async Task Luck_in_the_race_does_not_count()
    {
        var verdict = await JudgeAsync(
            [_track.Table("new", round => round <= 4 ? 1_200 : 1_000)], [_track.Table("old", 1_000)]);
        Assert.False(verdict.IsBetter);
        Assert.Equal(1, verdict.Gain.Ratio, 9);
    }

    // Who is out after two rounds may have had bad luck in them.
    [Fact]
    public async Task The_better_of_the_best_two_that_were_there_is_what_has_to_be_beaten()
    {
        var verdict = await JudgeAsync(
            [_track.Table("new", 1_000)],
            [
                _track.Table("lucky", round => round <= 4 ? 740 : 600),
                _track.Table("unlucky", round => round <= 4 ? 730 : 1_100),
                _track.Table("third", 300)
            ]);
        Assert.Equal("unlucky", verdict.Best.Name);
        Assert.False(verdict.IsBetter);
        Assert.DoesNotContain(_track.Measured, one => one.EndsWith(" third", StringComparison.Ordinal) && one[0] > '2');
    }

    [Fact]
    public async Task One_that_is_out_while_another_is_in_needs_no_verdict()
    {
        var verdict = await JudgeAsync([_track.Table("new", 500)], [_track.Table("old", 1_000)]);
        Assert.False(verdict.IsBetter);
        Assert.Empty(verdict.Rates);
        Assert.Equal(0.5, verdict.Gain.Ratio, 9);
        Assert.Equal(4, _track.Measured.Count);
    }

    [Fact]
    public async Task Without_a_table_of_each_kind_there_is_nothing_to_decide()
    {
        await Assert.ThrowsAsync<ArgumentException>(() => JudgeAsync([], [_track.Table("old", 1)]));
        await Assert.ThrowsAsync<ArgumentException>(() => JudgeAsync([_track.Table("new", 1)], []));
        await Assert.ThrowsAsync<ArgumentOutOfRangeException>(() =>
            new RaceJudge(_track, new(), verdictRounds: 2).RunAsync(
                [_track.Table("new", 1)], [_track.Table("old", 1)], default));
    }

    // Of three tables in rounds of the verdict: nine measurements are three whole rounds.
    [Theory]
    [InlineData(9, 3)]
    [InlineData(11, 3)]
    [InlineData(12, 4)]
    public async Task Given_up_in_the_verdict_it_is_decided_by_the_whole_rounds_that_there_are(
        int measurements, int rounds)
    {
        _track.Noise(0.05, seed: 1);
        var verdict = await EndedAsync(measurements, least: 3);

        Assert.True(verdict.WasEnded);
        Assert.True(verdict.IsBetter);
        Assert.Equal(("new", "old-1", rounds), (verdict.Found.Name, verdict.Best.Name, verdict.Rates.Count));
    }

    [Theory]
    [InlineData(8, 3)]
    [InlineData(12, null)]
    public async Task Given_up_with_fewer_or_where_none_are_to_decide_there_is_no_verdict(
        int measurements, int? least) =>
        await Assert.ThrowsAsync<OperationCanceledException>(() => EndedAsync(measurements, least));

    private async Task<RaceVerdict> EndedAsync(int measurements, int? least)
    {
        using var ended = new CancellationTokenSource();
        var inVerdict = 0;
        var judge = new RaceJudge(_track, new() { RoundsMax = 4 }, Rounds)
        {
            RoundsIfEnded = least,
            Measured = (round, _, _) =>
            {
                if (round > 4) inVerdict++;
                if (inVerdict == measurements) ended.Cancel();
            },
        };
        return await judge.RunAsync(
            [_track.Table("new", 1_400)], [_track.Table("old-1", 1_200), _track.Table("old-2", 1_150)], ended.Token);
    }

    private Task<RaceVerdict> JudgeAsync(PolicyDocument[] found, PolicyDocument[] before) =>
        new RaceJudge(_track, new() { RoundsMax = 4 }, Rounds).RunAsync(found, before, default);
}
