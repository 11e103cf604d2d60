using Polyjuice.Policies;
using Polyjuice.Training.Cluster.Races;
using Polyjuice.Training.Races;

namespace Polyjuice.Training.Cluster.Tests.Races;

public sealed class JournaledTrackTests : IDisposable
{
    private static readonly PolicyDocument[] s_found = [Table("new-1"), Table("new-2")];
    private static readonly PolicyDocument[] s_before = [Table("old-1"), Table("old-2")];

    private readonly TestFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    // Wherever it is ended, it comes to the same, and measures no whole round twice.
    [Theory]
    [InlineData(1)]
    [InlineData(6)]
    [InlineData(9)]
    [InlineData(20)]
    public async Task A_race_that_was_ended_goes_on_where_it_was(int measurements)
    {
        var whole = await JudgeAsync(new Track(int.MaxValue), null);
        using (var journal = Open())
        {
            await Assert.ThrowsAsync<IOException>(() => JudgeAsync(new Track(measurements), journal));
        }

        var rest = new Track(int.MaxValue);
        RaceVerdict verdict;
        using (var journal = Open()) verdict = await JudgeAsync(rest, journal);

        Assert.Equal(whole.Rates, verdict.Rates);
        Assert.Equal(whole.Gain, verdict.Gain);
        Assert.Equal(whole.Standings.Select(one => one.Table.Name), verdict.Standings.Select(one => one.Table.Name));
        Assert.True(
            rest.Measured <= new[] { 40 - measurements + 4, 40 }.Min(),
            $"{rest.Measured} measured after {measurements}");
    }

    private static PolicyDocument Table(string name) => BuiltinPolicies.Get("occ").Document with { Name = name };

    private static Task<RaceVerdict> JudgeAsync(IRaceTrack track, RaceJournal? journal) =>
        new RaceJudge(
            journal is null ? track : new JournaledTrack(track, journal),
            new RaceOptions { RoundsMax = 4, Hopeless = 0, RoundsMin = 4 }, 8)
            .RunAsync(s_found, s_before, CancellationToken.None);

    private RaceJournal Open() => RaceJournal.Open(_folder.File("race"), 1);

    /// <summary>Fails, as a cluster that dies, after some measurements.</summary>
    private sealed class Track(int until) : IRaceTrack
    {
        public int Measured { get; private set; }

        public Task<double> MeasureAsync(PolicyDocument table, int round, CancellationToken cancellationToken)
        {
            if (Measured == until) throw new IOException("the cluster is gone");
            Measured++;
            return Task.FromResult(
                table.Name switch { "new-2" => 150.0, "old-1" => 120, _ => 100 } + ((round * 7) % 5));
        }
    }
}
