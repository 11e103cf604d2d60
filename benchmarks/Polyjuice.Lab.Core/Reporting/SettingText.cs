namespace Polyjuice.Lab.Reporting;

/// <summary>Settings of a measurement as titles name them.</summary>
internal static class SettingText
{
    /// <summary>"2 silos".</summary>
    public static string Silos(int silos) => silos == 1 ? "1 silo" : $"{silos} silos";

    /// <summary>"messages +1 ms".</summary>
    public static string Messages(double milliseconds) => $"messages +{Figures.Theta(milliseconds)} ms";

    /// <summary>"appends +10 ms".</summary>
    public static string Appends(double milliseconds) => $"appends +{Figures.Theta(milliseconds)} ms";
}
