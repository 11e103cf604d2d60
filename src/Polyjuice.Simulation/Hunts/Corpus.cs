using System.Runtime.InteropServices;
using Polyjuice.Simulation.Coverage;
using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Faults;
using Polyjuice.Simulation.Runs;

namespace Polyjuice.Simulation.Hunts;

/// <summary>
/// The runs that have reached a state that no run before them had. Of a few of them, the next to be changed is one
/// with a state that few runs have reached (as in AFLFast and FairFuzz), and that has not been changed often.
/// </summary>
internal sealed class Corpus(SimulationRandom random, FaultKinds faults)
{
    private const int Candidates = 8;

    private readonly Dictionary<int, int> _runsByPlace = [];
    private readonly List<Entry> _entries = [];

    public bool IsEmpty => _entries.Count == 0;

    /// <summary>Takes a run in if it has reached something new. Returns how much that was.</summary>
    public int Add(RunCase run, FeatureSet features)
    {
        var news = 0;
        foreach (var feature in features.Reached)
        {
            ref var runs = ref CollectionsMarshal.GetValueRefOrAddDefault(_runsByPlace, feature.Place, out var isKnown);
            runs++;
            if (!isKnown) news++;
        }

        if (news > 0)
            _entries.Add(
                new Entry(
                    run, [.. features.Reached.OrderBy(feature => _runsByPlace[feature.Place]).Take(Entry.RareMax)]));
        return news;
    }

    /// <summary>A changed one.</summary>
    public RunCase Next()
    {
        var best = random.Pick(_entries);
        for (var i = 1; i < Candidates; i++)
        {
            var other = random.Pick(_entries);
            if (CostOf(other) < CostOf(best)) best = other;
        }

        best.Taken++;
        return new CaseChange(random, faults).Of(best.Case, random.Pick(_entries).Case, random.Pick(best.Rare));
    }

    private long CostOf(Entry entry) =>
        (long)entry.Rare.Min(feature => _runsByPlace[feature.Place]) * (1 + entry.Taken);

    private sealed class Entry(RunCase run, Feature[] rare)
    {
        public const int RareMax = 8;

        public RunCase Case => run;

        /// <summary>Of what it has reached, what the fewest runs had by then.</summary>
        public Feature[] Rare => rare;

        public int Taken { get; set; }
    }
}
