using System.ComponentModel.DataAnnotations;
using Polyjuice.Policies;
using Polyjuice.Training.Races;

namespace Polyjuice.Training.Tests.Races;

public sealed class TableRaceTests
{
    private readonly RaceTrack _track = new();

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    [InlineData(5)]
    public async Task The_best_wins_although_single_measurements_say_otherwise(int seed)
    {
        _track.Noise(0.1, seed);
        var tables = Tables(1_000, 1_300, 1_100, 900, 1_150, 700);
        var standings = await Race(new() { RoundsMax = 40 }).RunAsync(tables, default);
        Assert.Equal("t1", standings[0].Table.Name);
        Assert.False(standings[0].IsOut);
        Assert.All(standings.Skip(1), standing => Assert.True(standing.IsOut));
    }

    [Fact]
    public async Task What_is_far_behind_is_measured_twice_and_what_is_close_to_the_end()
    {
        _track.Noise(0.02, seed: 3);
        var standings = await Race(new() { RoundsMax = 10 }).RunAsync(Tables(1_000, 1_002, 500, 900), default);
        int RoundsOf(string name) => standings.Single(standing => standing.Table.Name == name).Rates.Count;
        Assert.Equal((10, 10, 2), (RoundsOf("t0"), RoundsOf("t1"), RoundsOf("t2")));
        Assert.InRange(RoundsOf("t3"), 3, 9);
        Assert.Equal("t2", standings[^1].Table.Name);
    }

    [Fact]
    public async Task Every_second_round_goes_backwards()
    {
        await Race(RaceOptions.Compare(3)).RunAsync(Tables(1, 2, 3), default);
        Assert.Equal(["1 t0", "1 t1", "1 t2", "2 t2", "2 t1", "2 t0", "3 t0", "3 t1", "3 t2"], _track.Measured);
    }

    [Fact]
    public async Task A_comparison_measures_all_in_all_rounds()
    {
        var standings = await Race(RaceOptions.Compare(4)).RunAsync(Tables(1, 1_000, 0), default);
        Assert.All(standings, standing => Assert.Equal((4, false), (standing.Rates.Count, standing.IsOut)));
        Assert.Equal(["t1", "t0", "t2"], standings.Select(standing => standing.Table.Name));
    }

    [Fact]
    public async Task Of_one_round_nobody_is_out_by_chance()
    {
        var standings = await Race(new() { RoundsMax = 1, RoundsMin = 1 }).RunAsync(Tables(1, 1_000), default);
        Assert.Equal(
            [("t1", false), ("t0", false)], standings.Select(standing => (standing.Table.Name, standing.IsOut)));
    }

    [Fact]
    public async Task A_machine_that_slows_down_steadily_does_not_decide()
    {
        _track.Drift = 0.97;
        var standings = await Race(RaceOptions.Compare(8)).RunAsync(Tables(1_000, 1_000), default);
        var ratio = standings[0].Over(standings[1], 0.95);
        Assert.InRange(ratio.Ratio, 1 / 1.001, 1.001);
        Assert.InRange(1, ratio.Low, ratio.High);
    }

    [Fact]
    public async Task Those_that_are_out_are_ordered_by_what_they_made_beside_the_leader()
    {
        // Who stays in for longer meets a faster machine.
        _track.Noise(0.02, seed: 5);
        _track.Drift = 1.02;
        var standings = await Race(new() { RoundsMax = 12 }).RunAsync(Tables(1_000, 650, 960), default);
        var (first, second, third) = (standings[0], standings[1], standings[2]);
        Assert.Equal(("t0", "t2", "t1"), (first.Table.Name, second.Table.Name, third.Table.Name));
        Assert.True(second.IsOut && third.IsOut && third.Rates.Count < second.Rates.Count);
        Assert.InRange(third.Over(first, 0.95).Ratio, 0.6, 0.7);
    }

    [Fact]
    public async Task It_ends_when_one_is_left_and_is_told_of_all_it_measures()
    {
        var heard = new List<string>();
        var race = new TableRace(_track, new())
        {
            Measured = (round, table, rate) => heard.Add($"{round} {table.Name} {rate}")
        };
        await race.RunAsync(Tables(1_000, 100), default);
        Assert.Equal(["1 t0 1000", "1 t1 100", "2 t1 100", "2 t0 1000"], heard);
    }

    [Fact]
    public async Task Who_gives_up_hears_so()
    {
        using var cancellation = new CancellationTokenSource();
        var race = new TableRace(_track, new()) { Measured = (_, _, _) => cancellation.Cancel() };
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => race.RunAsync(Tables(1, 2), cancellation.Token));
        Assert.Single(_track.Measured);
    }

    [Fact]
    public async Task What_can_be_no_race_is_refused()
    {
        await Assert.ThrowsAsync<ArgumentException>(() => Race(new()).RunAsync([], default));
        var twice = await Assert.ThrowsAsync<ArgumentException>(
            () => Race(new()).RunAsync([.. Tables(1), .. Tables(2)], default));
        Assert.Contains("t0", twice.Message, StringComparison.Ordinal);
        await Assert.ThrowsAsync<ValidationException>(() => Race(new() { RoundsMax = 0 }).RunAsync(Tables(1), default));
        Assert.Empty(_track.Measured);
    }

    private TableRace Race(RaceOptions options) => new(_track, options);

    private PolicyDocument[] Tables(params double[] rates) =>
        [.. rates.Select((rate, i) => _track.Table($"t{i}", rate))];
}
