namespace Polyjuice.Training.Service.Forecasting;

/// <summary>What a window came to.</summary>
/// <param name="Window">Its number (<see cref="WindowGrid"/>).</param>
/// <param name="Rate">The share of its transactions that were in conflict with another one, 0 to 1.</param>
internal readonly record struct ObservedRate(long Window, double Rate);

/// <summary>A window of the past as the forecast keeps it.</summary>
/// <param name="Window">Its number.</param>
/// <param name="Log">The rate's natural logarithm.</param>
/// <param name="Segment">Which stretch between two shifts of level it belongs to.</param>
internal readonly record struct KeptWindow(long Window, double Log, int Segment);
