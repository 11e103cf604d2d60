namespace Polyjuice.Training.Service.Forecasting;

/// <summary>What the highest conflict rate of the coming windows is expected to be.</summary>
/// <param name="Rate">The rate; may be above 1 by the error of the forecast.</param>
/// <param name="Error">
/// Its standard error, relative to the rate: 0.05 is 5%. Wide (0.25) until a week has been seen.
/// </param>
/// <param name="Windows">How many windows ahead it looks.</param>
internal readonly record struct PeakForecast(double Rate, double Error, int Windows);
