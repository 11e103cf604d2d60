namespace Polyjuice.CommandLine;

/// <summary>Where values come to lie in a chart.</summary>
internal sealed class ChartScale
{
    private const int TicksWanted = 4;
    private readonly ChartKind _kind;
    private readonly ChartArea _area;
    private readonly double _top;
    private readonly double _least;
    private readonly double _most;

    /// <summary>Makes room for values.</summary>
    /// <param name="kind">How it is drawn.</param>
    /// <param name="places">The values of x, different and in order; at least one.</param>
    /// <param name="most">The highest value of y.</param>
    /// <param name="area">Where in the chart.</param>
    public ChartScale(ChartKind kind, IReadOnlyList<double> places, double most, ChartArea area)
    {
        (_kind, _area, Places) = (kind, area, places);
        (_least, _most) = (Along(places[0]), Along(places[^1]));
        Ticks = RoundTicks(Math.Max(most, 1e-9));
        _top = Math.Max(Ticks[^1], most);
    }

    /// <summary>The values of x.</summary>
    public IReadOnlyList<double> Places { get; }

    /// <summary>Round values of y, from 0.</summary>
    public IReadOnlyList<double> Ticks { get; }

    /// <summary>Of one value of x among bars.</summary>
    public double PlaceWidth => (_area.Right - _area.Left) / Places.Count;

    public double X(double value) => _kind == ChartKind.Bars
        ? _area.Left + ((IndexOf(value) + 0.5) * PlaceWidth)
        : _area.Left
            + ((_most > _least ? (Along(value) - _least) / (_most - _least) : 0.5) * (_area.Right - _area.Left));

    public double Y(double value) => _area.Bottom - (value / _top * (_area.Bottom - _area.Top));

    /// <summary>Multiples of 1, 2 or 5 times a power of ten.</summary>
    internal static IReadOnlyList<double> RoundTicks(double most)
    {
        var raw = most / TicksWanted;
        var power = Math.Pow(10, Math.Floor(Math.Log10(raw)));
        var step = power * (raw / power) switch { <= 1 => 1, <= 2 => 2, <= 5 => 5, _ => 10 };
        return [
            .. Enumerable.Range(0, (int)Math.Ceiling((most / step) - 1e-9) + 1).Select(i => Math.Round(i * step, 12))
        ];
    }

    private double Along(double value) =>
        _kind == ChartKind.LogarithmicCurves ? Math.Log10(Math.Max(value, 1e-12)) : value;

    private int IndexOf(double value)
    {
        for (var i = 0; i < Places.Count; i++)
        {
            if (Places[i] == value) return i;
        }

        throw new ArgumentOutOfRangeException(nameof(value), value, "It has no place.");
    }
}

/// <summary>Part of a chart, in its units.</summary>
internal readonly record struct ChartArea(double Left, double Right, double Top, double Bottom);
