using System.Globalization;

namespace Polyjuice.Lab.Reporting;

/// <summary>How figures are written for people, the same everywhere.</summary>
public static class Figures
{
    /// <summary>"12,345".</summary>
    public static string Rate(double perSecond) =>
        perSecond.ToString(perSecond is > 0 and < 100 ? "N1" : "N0", CultureInfo.InvariantCulture);

    /// <summary>"ic3, 10,000 clients", or "ic3" if their number is not said.</summary>
    public static string Clients(string name, int? clients) =>
        clients is { } count ? string.Create(CultureInfo.InvariantCulture, $"{name}, {count:N0} clients") : name;

    /// <summary>"3.1%".</summary>
    public static string Share(double share) => (share * 100).ToString("0.0", CultureInfo.InvariantCulture) + "%";

    /// <summary>"89%".</summary>
    public static string Percent(double share) =>
        share.ToString("P0", CultureInfo.InvariantCulture).Replace(" ", "", StringComparison.Ordinal);

    /// <summary>Milliseconds, with as many digits as carry meaning: "0.42", "3.1", "120".</summary>
    public static string Milliseconds(double ms) =>
        ms.ToString(ms < 1 ? "0.00" : ms < 100 ? "0.0" : "0", CultureInfo.InvariantCulture);

    /// <summary>"0.99".</summary>
    public static string Theta(double theta) => theta.ToString("0.####", CultureInfo.InvariantCulture);

    /// <summary>"5.2×", or a dash.</summary>
    public static string Factor(double? factor) =>
        factor is { } f ? f.ToString("0.0", CultureInfo.InvariantCulture) + "×" : "–";

    /// <summary>The most frequent reasons for aborts, with their shares: "Validation 62%, Deadlock 31%".</summary>
    /// <param name="abortsByReason">Counts.</param>
    /// <param name="leaveOut">A reason that is not the system's.</param>
    public static string Reasons(IReadOnlyDictionary<string, long> abortsByReason, string leaveOut)
    {
        var counted = abortsByReason.Where(a => a.Value > 0 && a.Key != leaveOut).OrderByDescending(a => a.Value)
            .ToList();
        var sum = counted.Sum(a => a.Value);
        return sum == 0
            ? "–"
            : string.Join(", ", counted.Take(3).Select(a => $"{a.Key} {Percent((double)a.Value / sum)}"));
    }
}
