namespace Polyjuice.Training.Service.Forecasting;

/// <summary>What tables are trained for.</summary>
public enum ForecastKind
{
    /// <summary>
    /// The peak of the coming week, by the hours of days and weeks that were seen: one table
    /// for all of it. For windows of 5 minutes and more.
    /// </summary>
    Week,

    /// <summary>
    /// The load that there is now: another table each time it shifts. With windows of half a
    /// minute that takes one or two minutes, so it is for loads that stay as they are for much longer than that.
    /// </summary>
    Now,
}
