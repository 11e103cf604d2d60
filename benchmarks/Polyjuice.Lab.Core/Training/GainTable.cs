using System.Globalization;
using System.Text;

namespace Polyjuice.Lab.Training;

/// <summary>What trainings came to on Orleans, as a Markdown table.</summary>
public static class GainTable
{
    /// <summary>A line for each.</summary>
    /// <param name="gains">In the order of the lines.</param>
    public static string Of(IReadOnlyList<LearnedGain> gains)
    {
        ArgumentNullException.ThrowIfNull(gains);
        var text = new StringBuilder();
        text.AppendLine(
            "| Workload | Silos | Message, append | Learned | Best built-in | Learned by best built-in (95 %) |");
        text.AppendLine("|---|---|---|---|---|---|");
        foreach (var gain in gains)
        {
            var skew = gain.Theta is { } theta ? string.Create(CultureInfo.InvariantCulture, $", θ {theta}") : "";
            var (learned, best) = gain.Rounds == 0
                ? ("out in the race", gain.Best)
                : (Rate(gain.FoundPerSecond), $"`{gain.Best}`, {Rate(gain.BestPerSecond)}");
            text.AppendLine(string.Create(
                CultureInfo.InvariantCulture,
                $"| {gain.Workload}, {gain.Sizes}{skew} | {gain.Silos} | {gain.NetworkMs:0.##} ms, "
                + $"{gain.AppendMs:0.##} ms | {learned} | {best} | {gain.Ratio:0.00} × ({gain.Low:0.00} … "
                + $"{gain.High:0.00}) |"));
        }

        return text.ToString();
    }

    private static string Rate(double perSecond) => string.Create(CultureInfo.InvariantCulture, $"{perSecond:n0}/s");
}
