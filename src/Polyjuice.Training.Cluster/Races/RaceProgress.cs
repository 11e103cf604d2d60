using System.Diagnostics;
using System.Globalization;
using Polyjuice.Policies;
using Polyjuice.Training.Races;

namespace Polyjuice.Training.Cluster.Races;

/// <summary>How far a race is, at the latest: tables that are out early shorten it. Not thread-safe.</summary>
/// <param name="tables">How many race.</param>
/// <param name="race">How.</param>
/// <param name="verdictRounds">Rounds of the verdict.</param>
/// <param name="verdictTables">How many are measured in each of them.</param>
internal sealed class RaceProgress(int tables, RaceOptions race, int verdictRounds, int verdictTables)
{
    private readonly long _start = Stopwatch.GetTimestamp();
    private int _done;
    private int _round = 1;
    private int _inRound;
    private int _racing = tables;

    /// <summary>A measurement has ended.</summary>
    /// <param name="round">Its round; those of the verdict count on from the race's.</param>
    /// <param name="table">Which table.</param>
    /// <param name="rate">What it made.</param>
    public WorkProgress Add(int round, PolicyDocument table, double rate)
    {
        if (round != _round)
        {
            // As many as the last whole round had, or fewer.
            if (round <= race.RoundsMax && _inRound > 0) _racing = Math.Min(_racing, _inRound);
            (_round, _inRound) = (round, 0);
        }

        _inRound++;
        _done++;
        var left = LeftAfter(round);
        var elapsed = Stopwatch.GetElapsedTime(_start);
        var share = (double)_done / (_done + left);
        var text = string.Create(
            CultureInfo.InvariantCulture,
            $"{PlaceOf(round)}: {table.Name} {rate:n0}/s, {share:0%}, {elapsed / _done * left:h\\:mm\\:ss} left "
            + $"at the most");
        return new WorkProgress(text, share, elapsed);
    }

    private string PlaceOf(int round) => round <= race.RoundsMax
        ? string.Create(CultureInfo.InvariantCulture, $"race, round {round} of {race.RoundsMax}")
        : string.Create(CultureInfo.InvariantCulture, $"verdict, round {round - race.RoundsMax} of {verdictRounds}");

    private int LeftAfter(int round)
    {
        var verdictLeft = verdictRounds - (round - race.RoundsMax);
        if (round > race.RoundsMax) return Math.Max(0, (verdictLeft * verdictTables) + verdictTables - _inRound);
        var thisRound = Math.Max(0, _racing - _inRound);
        return thisRound + ((race.RoundsMax - round) * _racing) + (verdictRounds * verdictTables);
    }
}
