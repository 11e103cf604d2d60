namespace Polyjuice.Training.Service.Forecasting;

/// <summary>
/// Follows the conflict rate window by window, and says which peak a table is to be trained for. Deterministic. Not
/// thread-safe.
/// </summary>
internal interface IPeakForecast
{
    /// <summary>The windows.</summary>
    WindowGrid Grid { get; }

    /// <summary>How many of the last windows it goes by: one that sees these again forecasts nearly the same.</summary>
    long WindowsKept { get; }

    /// <summary>How many windows it has seen.</summary>
    long Seen { get; }

    /// <summary>The last window that it has seen; -1 for none.</summary>
    long Last { get; }

    /// <summary>
    /// Since which window the level has been what it is: the first after the last shift, as far as it is kept; -1 for
    /// none.
    /// </summary>
    long LevelSince { get; }

    /// <summary>Takes a window's rate. Says whether the level has shifted.</summary>
    /// <param name="observed">Later than all before. Windows may be missing.</param>
    /// <exception cref="ArgumentException">It is not later, or no share.</exception>
    bool Observe(ObservedRate observed);

    /// <summary>The peak that a table is made for.</summary>
    /// <exception cref="InvalidOperationException">Nothing was seen yet.</exception>
    PeakForecast Peak();
}
