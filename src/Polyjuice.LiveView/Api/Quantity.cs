using System.Globalization;

namespace Polyjuice.LiveView.Api;

/// <summary>Numbers as the page's scripts write them (<c>Page/dom.js</c>).</summary>
internal static class Quantity
{
    /// <summary>Whole from 100 on, and of three digits below.</summary>
    public static string Count(double value) =>
        value >= 100 ? Math.Round(value, MidpointRounding.AwayFromZero).ToString("N0", CultureInfo.InvariantCulture)
        : value <= 0 ? "0"
        : Math.Round(value, Math.Clamp(2 - (int)Math.Floor(Math.Log10(value)), 0, 15), MidpointRounding.AwayFromZero)
            .ToString("0.###############", CultureInfo.InvariantCulture);

    /// <summary>A time, in the unit that it has few digits in.</summary>
    /// <param name="seconds">Not negative.</param>
    public static string Time(double seconds) =>
        seconds <= 0 ? "0"
        : seconds < 0.001 ? $"{Count(seconds * 1e6)} µs"
        : seconds < 1 ? $"{Count(seconds * 1e3)} ms"
        : $"{Count(seconds)} s";
}
