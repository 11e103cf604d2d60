using Polyjuice.Policies;
using Polyjuice.Training.Replay;

namespace Polyjuice.Training.Conflicts;

/// <summary>
/// Which access sites of a workload conflict, and how often: two sites do if different transactions accessed the same
/// participant there, and one of the two updates. It is read off the part of the trace that tables are searched on. A
/// rule knows only which sites name the same state; this knows which of them come to the same rows of it. Immutable.
/// </summary>
internal sealed class ConflictGraph
{
    private readonly Dictionary<(SitePlace At, SitePlace Other), double> _rivals;

    private ConflictGraph(IReadOnlyList<SitePlace> sites, Dictionary<(SitePlace, SitePlace), double> rivals)
    {
        Sites = sites;
        _rivals = rivals;
    }

    /// <summary>The sites of the types that contend, in the catalogue's order.</summary>
    public IReadOnlyList<SitePlace> Sites { get; }

    /// <summary>Reads the graph off a workload. The same workload gives the same graph.</summary>
    /// <param name="workload">The workload.</param>
    public static ConflictGraph Of(ReplayWorkload workload)
    {
        var types = workload.Catalogue.Types;
        var sites = workload.ContendingTypes
            .SelectMany(type => Enumerable.Range(0, types[type].Sites.Count).Select(site => new SitePlace(type, site)))
            .ToArray();
        var contending = workload.ContendingTypes.ToHashSet();
        var visits = new Dictionary<int, Dictionary<SitePlace, long>>();
        var passes = new Dictionary<SitePlace, long>();
        var pairs = new Dictionary<(SitePlace, SitePlace), long>();
        var transactions = 0;
        foreach (var (type, accesses) in workload.AccessesOf(ReplayPart.Training))
        {
            if (!contending.Contains(type)) continue;
            transactions++;
            foreach (var position in accesses.Select(access => access.Position).Distinct())
                Add(passes, new SitePlace(type, position), 1);
            foreach (var participant in accesses.Distinct().GroupBy(access => access.Participant))
            {
                var own = participant.Select(access => new SitePlace(type, access.Position)).ToArray();
                if (!visits.TryGetValue(participant.Key, out var counts)) visits.Add(participant.Key, counts = []);
                foreach (var site in own) Add(counts, site, 1);

                // Nobody conflicts with himself, and the products below count that he does.
                AddPairs(own.Select(site => (site, 1L)).ToArray(), -1);
            }
        }

        foreach (var counts in visits.Values) AddPairs(counts.Select(one => (one.Key, one.Value)).ToArray(), 1);
        var others = Math.Max(1, transactions - 1);
        return new ConflictGraph(
            sites,
            pairs.Where(pair => pair.Value > 0)
                .ToDictionary(pair => pair.Key, pair => (double)pair.Value / passes[pair.Key.Item1] / others));

        void AddPairs((SitePlace Site, long Count)[] counts, int sign)
        {
            foreach (var (at, count) in counts)
            {
                foreach (var (other, rivals) in counts)
                {
                    if (Updates(at) || Updates(other)) Add(pairs, (at, other), sign * count * rivals);
                }
            }
        }

        bool Updates(SitePlace site) => types[site.Type].Sites[site.Position].Kind == AccessKind.Update;
    }

    /// <summary>
    /// How many conflicts a transaction that passes a site has there, in the mean, with another transaction drawn at
    /// random from all that contend: how many participants that it accesses there the other accesses at a given site. 0
    /// if the two sites do not conflict. From 0 to 1, but more where sites stand in loops.
    /// </summary>
    /// <param name="at">Where the one is.</param>
    /// <param name="other">Where the other is.</param>
    public double Rivals(SitePlace at, SitePlace other) => _rivals.GetValueOrDefault((at, other));

    private static void Add<TKey>(Dictionary<TKey, long> counts, TKey key, long count)
        where TKey : notnull => counts[key] = counts.GetValueOrDefault(key) + count;
}
