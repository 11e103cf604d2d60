using System.ComponentModel.DataAnnotations;
using Polyjuice.Training.Service.Forecasting;

namespace Polyjuice.Training.Service.Retraining;

/// <summary>When a table is trained anew.</summary>
internal sealed record RetrainingOptions
{
    /// <summary>Of these one may be off by chance.</summary>
    private const int FewWindows = 3;

    /// <summary>
    /// How far the forecast peak must be from the conflict rate that the table in force was trained for, as a share of
    /// it. Default 0.15, the Polyjuice paper's (§7.6); 0.01 to 10.
    /// </summary>
    [Range(0.01, 10.0)]
    public double Threshold { get; init; } = 0.15;

    /// <summary>
    /// A forecast that is further off must be so for so many windows, unless the
    /// level has shifted, which is found by itself. Default 24; 1 to 10,000.
    /// </summary>
    [Range(1, 10_000)]
    public int ConfirmingWindows { get; init; } = 24;

    /// <summary>
    /// The first table is trained after so many windows. Default 24,
    /// a day of hours, so that it has seen a peak; 1 to 10,000.
    /// </summary>
    [Range(1, 10_000)]
    public int FirstAfterWindows { get; init; } = 24;

    /// <summary>
    /// Lower rates count as this one: where hardly anything is in
    /// conflict, no table makes a difference. Default 0.01; 0.001 to 1.
    /// </summary>
    [Range(0.001, 1.0)]
    public double NegligibleRate { get; init; } = 0.01;

    /// <summary>
    /// The defaults for a forecast: of weeks, what a day shows; of the load that there is now, a few windows.
    /// </summary>
    /// <param name="forecast">Which.</param>
    /// <param name="grid">Its windows.</param>
    public static RetrainingOptions For(ForecastKind forecast, WindowGrid grid)
    {
        ArgumentNullException.ThrowIfNull(grid);
        var windows = forecast == ForecastKind.Week ? grid.PerDay : FewWindows;
        return new RetrainingOptions { ConfirmingWindows = windows, FirstAfterWindows = windows };
    }

    /// <summary>Throws naming the first option that is out of its bounds.</summary>
    /// <exception cref="ValidationException">One is.</exception>
    public void Validate() => Validator.ValidateObject(this, new ValidationContext(this), validateAllProperties: true);
}
