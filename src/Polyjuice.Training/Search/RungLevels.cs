namespace Polyjuice.Training.Search;

/// <summary>
/// How much of a score is its seed's: some seeds draw transactions that meet more often, and all tables make less of
/// them. A score is taken for a table's worth times its rung's level, and both are fitted to all scores in turn (a
/// two-way analysis of variance without interaction, of logarithms; not every table has been on every rung, so its
/// solution has no closed form). So tables can be compared that have been on different rungs, and no single table's
/// luck decides what others are measured by.
/// </summary>
internal sealed class RungLevels
{
    /// <summary>Of the fit: each comes several times nearer.</summary>
    private const int Sweeps = 12;

    private const double Least = 1e-9;

    private readonly Dictionary<int, double> _levels;

    private RungLevels(Dictionary<int, double> levels) => _levels = levels;

    /// <summary>The level of a rung, in the unit of scores.</summary>
    public double this[int rung] => _levels[rung];

    /// <summary>Fits them.</summary>
    /// <param name="standings">All that were replayed.</param>
    /// <param name="reference">Whose worth is 1; it has been on every rung.</param>
    public static RungLevels Of(IReadOnlyCollection<Standing> standings, Standing reference)
    {
        var levels = reference.Scores.ToDictionary(one => one.Rung, one => Log(one.Score));

        // What has been on one rung only says nothing of how rungs differ, and what commits nothing does so on all.
        var several = standings.Where(standing => standing.Depth > 1 && standing.Scores.All(one => one.Score > Least))
            .ToList();
        for (var sweep = 0; sweep < Sweeps && several.Count > 1; sweep++)
        {
            var sums = levels.Keys.ToDictionary(rung => rung, _ => (Sum: 0.0, Count: 0));
            foreach (var standing in several)
            {
                var worth = standing.Scores.Average(one => Log(one.Score) - levels[one.Rung]);
                foreach (var (rung, score) in standing.Scores)
                {
                    var (sum, count) = sums[rung];
                    sums[rung] = (sum + Log(score) - worth, count + 1);
                }
            }

            foreach (var (rung, (sum, count)) in sums.Where(rung => rung.Value.Count > 0)) levels[rung] = sum / count;
        }

        var unit = reference.Scores.Average(one => Log(one.Score) - levels[one.Rung]);
        return new RungLevels(levels.ToDictionary(level => level.Key, level => Math.Exp(level.Value + unit)));
    }

    private static double Log(double score) => Math.Log(Math.Max(score, Least));
}
