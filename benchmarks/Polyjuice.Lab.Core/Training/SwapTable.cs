using System.Globalization;
using Polyjuice.Lab.Reporting;

namespace Polyjuice.Lab.Training;

/// <summary>The seconds around a swap, for people: a line and a bar for each.</summary>
internal static class SwapTable
{
    private const int BarWidth = 40;

    /// <summary>Writes them.</summary>
    /// <param name="swap">The seconds.</param>
    /// <param name="before">The table in force before.</param>
    /// <param name="after">The one that was swapped in.</param>
    public static string Of(SwapResult swap, string before, string after)
    {
        var most = Math.Max(1, swap.CommittedPerSecond.DefaultIfEmpty().Max());
        var lines = swap.CommittedPerSecond.Select((rate, second) =>
        {
            var bar = new string('█', (int)Math.Round(BarWidth * rate / most)).PadRight(BarWidth);
            var mark = second == swap.Second ? $"← from {before} to {after}" : "";
            return string.Create(
                CultureInfo.InvariantCulture,
                $"  second {second + 1,2}  {Figures.Rate(rate),9}/s  {bar} {mark}").TrimEnd();
        }).ToList();
        lines.Add(
            string.Create(
                CultureInfo.InvariantCulture,
                $"{(swap.Second < 0 ? "Ended before the swap; " : "")}{swap.Failed:n0} calls failed."));
        return string.Join('\n', lines);
    }
}
