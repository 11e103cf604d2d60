using System.Globalization;
using Polyjuice.Training;
using Polyjuice.Training.Races;

namespace Polyjuice.Lab.Training;

/// <summary>What is said, and advised, where a search has found no better table.</summary>
internal static class NothingLearned
{
    /// <summary>One or two sentences.</summary>
    /// <param name="training">The training; its table does not beat all that were there.</param>
    /// <param name="inForce">The table in force, which is one of those.</param>
    public static string Of(TrainingResult training, string inForce)
    {
        if (training.Race is { } race) return OfRace(race, inForce);
        var unbeaten = string.Join(", ", training.Unbeaten.Select(one => one.Name));
        var said = $"Nothing learned: on held-out data the best table found does not beat {unbeaten} beyond chance. Nothing is swapped in, and nothing written.";
        var (best, own) = (training.BestBaseline, training.Baselines.First(one => one.Name == inForce));

        // A search that finds nothing has still compared what is there.
        return best.Beats(own)
            ? string.Create(CultureInfo.InvariantCulture, $"{said} But {best.Name}, which is there already, makes {best.Over(own).Gain:+0%} in these replays beside {inForce}, which is in force: silo.UsePolyjuice(options => options.Policy = \"{best.Name}\") puts it in force. To search for longer: --budget.")
            : $"{said} Search for longer with --budget.";
    }
    private static string OfRace(RaceVerdict race, string inForce)
    {
        var said = $"Nothing learned: on the cluster no table that was found beats {race.Best.Name} beyond chance. Nothing is swapped in, and nothing written.";
        var (best, own) = (race.Standings.First(one => one.Table == race.Best), race.Standings.First(one => one.Table.Name == inForce));
        var gain = best.Over(own, RaceVerdict.Confidence);
        return gain.Low > 1
            ? string.Create(CultureInfo.InvariantCulture, $"{said} But {race.Best.Name}, which is there already, makes {gain.Ratio - 1:+0%} there beside {inForce}, which is in force: silo.UsePolyjuice(options => options.Policy = \"{race.Best.Name}\") puts it in force.")
            : $"{said} Search for longer with --budget.";
    }
}
