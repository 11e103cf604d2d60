using System.ComponentModel.DataAnnotations;
using Polyjuice.Policies;

namespace Polyjuice.Training.Races;

/// <summary>
/// Decides on a cluster whether a table that was found is better than all that were there. All of them race; then the
/// best of the found ones and the best two of the others are measured again, in rounds of their own: who wins a race
/// has had luck in it, and what is measured later has not. Two, because those that are out early were measured little.
/// </summary>
/// <param name="track">Where.</param>
/// <param name="options">How they race.</param>
/// <param name="verdictRounds">Rounds of those that are left; at least 3.</param>
internal sealed class RaceJudge(IRaceTrack track, RaceOptions options, int verdictRounds)
{
    private const int Rivals = 2;

    /// <summary>
    /// Hears of every measurement: the round, the table, and what it made. Rounds of the verdict are counted on from
    /// <see cref="RaceOptions.RoundsMax"/>.
    /// </summary>
    public Action<int, PolicyDocument, double> Measured { get; init; } = static (_, _, _) => { };

    /// <summary>
    /// When somebody gives up during the rounds of the verdict, those that were measured whole decide, if they are at
    /// least so many. <see langword="null"/>, and so by default, decides nothing then; at least 3.
    /// </summary>
    public int? RoundsIfEnded { get; init; }

    /// <summary>Decides.</summary>
    /// <param name="found">What a search has found; at least one.</param>
    /// <param name="before">What was there; at least one, each with a name that no other one has.</param>
    /// <param name="cancellationToken">Gives up.</param>
    /// <exception cref="ValidationException">An option is out of its bounds.</exception>
    /// <exception cref="ArgumentException">There is nothing to compare, or two tables have the same name.</exception>
    /// <exception cref="OperationCanceledException">It was given up before there was an answer.</exception>
    public async Task<RaceVerdict> RunAsync(
        IReadOnlyList<PolicyDocument> found, IReadOnlyList<PolicyDocument> before, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(found);
        ArgumentNullException.ThrowIfNull(before);
        ArgumentOutOfRangeException.ThrowIfLessThan(verdictRounds, 3);
        ArgumentOutOfRangeException.ThrowIfLessThan(RoundsIfEnded ?? 3, 3, nameof(RoundsIfEnded));
        if (found.Count == 0 || before.Count == 0)
            throw new ArgumentException(
                $"{found.Count} tables that were found can't be compared with {before.Count} that were there.");
        var standings = await new TableRace(track, options) { Measured = Measured }
            .RunAsync([.. before, .. found], cancellationToken).ConfigureAwait(false);
        var own = standings.First(standing => found.Contains(standing.Table));
        var rivals = standings.Where(standing => before.Contains(standing.Table)).Take(Rivals).ToArray();
        if (own.IsOut && !rivals[0].IsOut)
            return new(standings, own.Table, rivals[0].Table, [], own.Over(rivals[0], RaceVerdict.Confidence));

        PolicyDocument[] left = [own.Table, .. rivals.Select(static rival => rival.Table)];
        var (rounds, wasEnded) = await DecideAsync(left, cancellationToken).ConfigureAwait(false);
        var mine = rounds.First(one => one.Table == own.Table);
        var best = rounds.Where(one => one.Table != own.Table).MaxBy(static one => one.Mean)!;
        return new(
            standings, own.Table, best.Table, [.. mine.Rates.Zip(best.Rates)],
            mine.Over(best, RaceVerdict.Confidence)) { WasEnded = wasEnded };
    }

    private async Task<(IReadOnlyList<RaceStanding> Rounds, bool WasEnded)> DecideAsync(
        IReadOnlyList<PolicyDocument> left, CancellationToken cancellationToken)
    {
        // Other choices of clients than in the race.
        var later = new Later(track, options.RoundsMax);
        try
        {
            return (await new TableRace(later, RaceOptions.Compare(verdictRounds))
            {
                Measured = (round, table, rate) => Measured(options.RoundsMax + round, table, rate)
            }
                .RunAsync(left, cancellationToken).ConfigureAwait(false), false);
        }
        catch (OperationCanceledException)
            when (cancellationToken.IsCancellationRequested && RoundsIfEnded is { } least)
        {
            var whole = left.Min(later.RoundsOf);
            if (whole < least) throw;
            return ([
                .. left.Select(table => new RaceStanding(table, [.. later.RatesOf(table).Take(whole)], IsOut: false))
            ], true);
        }
    }

    private sealed class Later(IRaceTrack track, int rounds) : IRaceTrack
    {
        private readonly Dictionary<PolicyDocument, List<double>> _rates = [];

        public int RoundsOf(PolicyDocument table) => RatesOf(table).Count;

        public IReadOnlyList<double> RatesOf(PolicyDocument table) => _rates.GetValueOrDefault(table, []);

        public async Task<double> MeasureAsync(PolicyDocument table, int round, CancellationToken cancellationToken)
        {
            var rate = await track.MeasureAsync(table, rounds + round, cancellationToken).ConfigureAwait(false);
            if (!_rates.TryGetValue(table, out var rates)) _rates[table] = rates = [];
            rates.Add(rate);
            return rate;
        }
    }
}
