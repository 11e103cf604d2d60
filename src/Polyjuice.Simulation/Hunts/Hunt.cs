using Polyjuice.Simulation.Coverage;
using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Runs;

namespace Polyjuice.Simulation.Hunts;

/// <summary>
/// A sequence of runs from one start. What earlier runs have reached guides the choice of later ones: a run that
/// reached a new state of the protocol is changed in a few places and run again, and families of runs
/// in which that happens often are drawn more often. The same start gives the same sequence, on however many threads
/// its runs are made.
/// </summary>
/// <remarks>
/// Each case follows from what all but the last <see cref="Lag"/> before it have reached, so that as many may run at
/// a time.
/// Thread-safe.
/// </remarks>
internal sealed class Hunt
{
    /// <summary>So many cases are chosen ahead of what is known. More threads than that wait for each other.</summary>
    public const int Lag = 16;

    /// <summary>Of cases: changed ones.</summary>
    private const double ChangedShare = 0.6;

    private readonly object _gate = new();
    private readonly SimulationRandom _random;
    private readonly FreshCases _fresh;
    private readonly Corpus _corpus;
    private readonly Dictionary<int, (RunCase Case, FeatureSet? Features)> _reports = [];
    private int _chosen;
    private int _absorbed;

    /// <summary>Creates it.</summary>
    /// <param name="start">Of all its choices; the seed of its first fresh case.</param>
    /// <param name="common">What all of its cases have in common. Of its faults, each case has some; its shape,
    /// streams and aims are not looked at.</param>
    /// <param name="shapes">The families that it draws from.</param>
    /// <param name="suits">One that half of its fresh cases are of; none to draw all evenly.</param>
    public Hunt(ulong start, RunCase common, IReadOnlyList<string> shapes, string? suits = null)
    {
        _random = new SimulationRandom(SimulationRandom.Mix(start ^ 0x48756E74));
        _fresh = new FreshCases(common, start, shapes, suits, _random.Fork(1));
        _corpus = new Corpus(_random.Fork(2), common.Faults);
    }

    /// <summary>
    /// The next case, and its number, from 0. Waits for reports while too many are missing. Whoever takes a case
    /// reports it.
    /// </summary>
    public RunCase Next(out int number)
    {
        lock (_gate)
        {
            // Whoever waits has no number yet, so that cases are chosen in the order of their numbers.
            while (!HasAbsorbed(_chosen - Lag)) Monitor.Wait(_gate);
            number = _chosen++;
            return _corpus.IsEmpty || !_random.Chance(ChangedShare) ? _fresh.Next() : _corpus.Next();
        }
    }

    /// <summary>What a run has reached; nothing if it failed, or was not made after all.</summary>
    public void Report(int number, RunCase run, FeatureSet? features)
    {
        lock (_gate)
        {
            _reports.Add(number, (run, features));
            Monitor.PulseAll(_gate);
        }
    }

    /// <summary>In the order of numbers, whatever the order in which runs end.</summary>
    private bool HasAbsorbed(int last)
    {
        for (; _absorbed <= last; _absorbed++)
        {
            if (!_reports.Remove(_absorbed, out var report)) return false;
            if (report.Features is { } features) _fresh.Learn(report.Case.Shape, _corpus.Add(report.Case, features));
        }

        return true;
    }
}
