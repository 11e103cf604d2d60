using System.Globalization;
using Polyjuice.Training;
using Polyjuice.Training.Races;

namespace Polyjuice.CommandLine;

/// <summary>What is said, and advised, where a search has found no better table.</summary>
internal static class NothingLearned
{
    /// <summary>What is said of what was done about it, where a cluster serves meanwhile.</summary>
    private const string NotSwapped = "Nothing is swapped in, and nothing written.";
    private const string SearchLonger = "Search for longer with --budget.";

    // A table wins by having fewer conflicts, or cheaper ones.
    private const double FewAborted = 0.02;

    /// <summary>One or two sentences.</summary>
    /// <param name="training">The training; its table does not beat all that were there.</param>
    /// <param name="inForce">The table in force, which is one of those.</param>
    /// <param name="unchanged">That nothing was done about it, in a sentence.</param>
    public static string Of(TrainingResult training, string inForce, string unchanged = NotSwapped)
    {
        ArgumentNullException.ThrowIfNull(training);
        if (training.Race is { } race) return OfRace(race, training, inForce, unchanged);
        var unbeaten = string.Join(", ", training.Unbeaten.Select(one => one.Name));
        var said =
            $"Nothing learned: on held-out data the best table found does not beat {unbeaten} beyond chance. "
            + $"{unchanged}";
        var (best, own) = (training.BestBaseline, training.Baselines.First(one => one.Name == inForce));

        // A search that finds nothing has still compared what is there.
        return best.Beats(own)
            ? $"{said} {Advice(best.Name, best.Over(own).Gain, "in these replays", inForce)} To search for "
                + "longer: --budget."
            : $"{said} {LittleToGain(training) ?? SearchLonger}";
    }

    private static string OfRace(RaceVerdict race, TrainingResult training, string inForce, string unchanged)
    {
        var said =
            $"Nothing learned: on the cluster no table that was found beats {race.Best.Name} beyond chance. "
            + $"{unchanged}";
        var best = race.Standings.First(one => one.Table == race.Best);
        var gain = best.Over(race.Standings.First(one => one.Table.Name == inForce), RaceVerdict.Confidence);
        if (gain.Low > 1) return $"{said} {Advice(race.Best.Name, gain.Ratio - 1, "there", inForce)}";
        var next = LittleToGain(training) ?? SearchLonger;
        return $"{said} {next} If the rounds differ much, --verdict-rounds narrows what they say.";
    }

    private static string? LittleToGain(TrainingResult training)
    {
        // Whoever waits aborts little: what counts is the table that waits least.
        var shares = training.Baselines.Where(static one => one.Replays.Count > 0)
            .Select(static one => one.Replays.Average(static replay => replay.AbortedShare)).ToList();
        return shares.Count > 0 && shares.Max() is var most && most < FewAborted
            ? string.Create(
                CultureInfo.InvariantCulture,
                $"The recording has few conflicts (at most {most:0.0%} of the attempts aborted, whichever table), so "
                + $"there is little to gain: record a busier time.")
            : null;
    }

    private static string Advice(string best, double gain, string where, string inForce) => string.Create(
        CultureInfo.InvariantCulture,
        $"But {best}, which is there already, makes {gain:+0%} {where} beside {inForce}, which is in force: "
        + $"silo.UsePolyjuice(options => options.Policy = \"{best}\") puts it in force.");
}
