using Polyjuice.Agents;
using Polyjuice.Contracts;

namespace Polyjuice.Tests.Agents.Admission;

/// <summary>
/// A model of silos that share all data: more attempts wait than may run, each waits for an exponential time and then
/// takes one of the processors, and each other one that runs meanwhile aborts it with the same probability, whichever
/// silo it is of. Once in a tick silos tell the first one what is new, if they do.
/// </summary>
/// <param name="silos">Silos.</param>
/// <param name="agree">Whether they tell each other.</param>
internal sealed class LimitCluster(int silos, bool agree)
{
    private const int Clients = 256;
    private const int Tick = 5_000;

    private readonly Random _random = new(11);
    private readonly PriorityQueue<(int Silo, bool IsHot, bool Worked), double> _events = new();
    private readonly double[] _processors = new double[2];
    private readonly int[] _running = new int[silos];

    // Attempts that conflict, of those that run; and transactions that begin again.
    private readonly int[] _again = new int[silos];
    private int _hot;
    private readonly SharedLimit[] _limits = [.. Enumerable.Range(0, silos).Select(_ => new SharedLimit(0.1))];
    private double _now = 1;
    private double _tick;

    /// <summary>Mean microseconds that an attempt waits for, whatever else runs.</summary>
    public required double Waits { get; init; }

    /// <summary>Mean microseconds that it takes a processor.</summary>
    public required double Works { get; init; }

    /// <summary>Beside n others an attempt commits with the probability e^(-n Conflict).</summary>
    public required double Conflict { get; init; }

    /// <summary>
    /// Which part of the transactions conflicts at all: with each other. One that was aborted begins again before
    /// others.
    /// </summary>
    public double HotShare { get; init; } = 1;

    /// <summary>For how many microseconds of each 200 ms the process stands still.</summary>
    public double Stalls { get; init; }

    /// <summary>Goes on for some time, and gives commits a second.</summary>
    /// <param name="seconds">For how long.</param>
    /// <param name="fixedAt">How many may run on each silo; 0 for as many as they find out.</param>
    public double Run(int seconds, int fixedAt = 0)
    {
        var commits = 0;
        var until = _now + (seconds * 1e6);
        LetIn(fixedAt);
        while (_events.TryPeek(out var next, out var at) && at < until)
        {
            _events.Dequeue();
            _now = at;
            if (_now >= _tick) Tell();
            if (!next.Worked)
            {
                var processor = Array.IndexOf(_processors, _processors.Min());
                _processors[processor] = Math.Max(_processors[processor], _now)
                    + (Works * (0.5 + _random.NextDouble()));
                _events.Enqueue(next with { Worked = true }, _processors[processor]);
                continue;
            }

            var isConflict = next.IsHot && _random.NextDouble() > Math.Exp(-Conflict * (_hot - 1));
            if (next.IsHot) _hot--;
            if (isConflict) _again[next.Silo]++;
            else commits++;
            _limits[next.Silo].Running(--_running[next.Silo]);
            _limits[next.Silo].Ended(isConflict, (long)_now);
            LetIn(fixedAt);
        }

        _now = until;
        return commits / (double)seconds;
    }

    private void Tell()
    {
        for (var silo = 0; silo < silos; silo++)
        {
            _limits[silo].Tick((long)_now, Tick);
            if (silo == 0 || !agree) continue;
            _limits[0].Heard(new NodeId(silo), _limits[silo].TakeNews(), (long)_now);
            _limits[silo].Follow(_limits[0].Value, _limits[0].Share, (long)_now);
        }

        _tick = _now + Tick;
        if (Stalls == 0 || (long)(_now / 200_000) == (long)((_now - Tick) / 200_000)) return;
        for (var i = 0; i < _processors.Length; i++) _processors[i] = Math.Max(_processors[i], _now) + Stalls;
        _tick += Stalls;
    }

    private bool BeginOne(int silo)
    {
        var isAgain = _again[silo] > 0;
        if (isAgain) _again[silo]--;
        var isHot = isAgain || _random.NextDouble() < HotShare;
        if (isHot) _hot++;
        return isHot;
    }

    private void LetIn(int fixedAt)
    {
        for (var silo = 0; silo < silos; silo++)
        {
            var limit = fixedAt > 0 ? fixedAt : Math.Min(Clients, _limits[silo].Value);
            for (; _running[silo] < limit; _running[silo]++)
                _events.Enqueue((silo, BeginOne(silo), false), _now - (Waits * Math.Log(1 - _random.NextDouble())));
            _limits[silo].Running(_running[silo]);
            if (limit < Clients) _limits[silo].Held();
        }
    }
}
