namespace Polyjuice.Agents;

/// <summary>
/// Tables that are tried one after the other under one load; each has to beat the best so far. One that is far behind
/// after a window is given up at once.
/// </summary>
/// <param name="defender">The table in force.</param>
/// <param name="time">How long transactions take under it (a logarithm).</param>
/// <param name="others">The tables to be tried, in this order.</param>
internal sealed class TableRace(int defender, double time, IReadOnlyList<int> others)
{
    /// <summary>
    /// A table is kept only if transactions take so much less time (logarithm) than under the best so far.
    /// </summary>
    private const double GainToKeep = 0.05;

    /// <summary>And given up after a window if they take so much more.</summary>
    private const double FarBehind = 0.35;

    private const int WindowsOfTrial = 2;

    private int _next;
    private double _best = time;
    private MeanTime _time;

    /// <summary>The table that was in force before.</summary>
    public int Defender { get; } = defender;

    /// <summary>The best table so far.</summary>
    public int Best { get; private set; } = defender;

    /// <summary>Which table to put or to leave in force; <see langword="null"/> when it is over.</summary>
    /// <param name="time">
    /// How long transactions took in a window under the one that is tried; none before the first.
    /// </param>
    public int? Next(double? time)
    {
        if (time is { } taken)
        {
            var table = others[_next - 1];
            _time.Add(taken);
            if (_time.Count < WindowsOfTrial && _time.Value < _best + FarBehind) return table;
            if (_time.Value < _best - GainToKeep) (Best, _best) = (table, _time.Value);
        }

        _time = default;
        return _next < others.Count ? others[_next++] : null;
    }
}
