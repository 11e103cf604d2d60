using Polyjuice.Policies;
using Polyjuice.Training.Traces;

namespace Polyjuice.Training.Replay;

/// <summary>
/// The order of each type's sites in its code, as far as a trace shows it. The order of first sight is wrong where a
/// type branches: a site that the first transaction passed by would stand last, and waits for what comes before it
/// would be waits for the end. Here a site stands before another if most transactions that passed both passed it first
/// (Copeland's method over those pairs; ties by first sight).
/// </summary>
internal static class SiteOrder
{
    /// <summary>The trace's sites by type, each type's in order.</summary>
    public static IReadOnlyList<TraceSite> Of(AccessTrace trace)
    {
        var ahead = new Dictionary<(int First, int Second), int>();
        var passed = new List<int>();
        foreach (var transaction in trace.Transactions)
        {
            passed.Clear();
            foreach (var access in trace.AccessesOf(transaction))
            {
                if (passed.Contains(access.Site)) continue;
                foreach (var earlier in passed)
                    ahead[(earlier, access.Site)] = ahead.GetValueOrDefault((earlier, access.Site)) + 1;
                passed.Add(access.Site);
            }
        }

        var wins = new int[trace.Sites.Count];
        foreach (var ((first, second), count) in ahead)
        {
            var others = ahead.GetValueOrDefault((second, first));
            wins[first] += Math.Sign(count - others);

            // Of a pair that came in one order only, the other order is not among these.
            if (others == 0) wins[second]--;
        }

        return [
            .. trace.Sites.Select((site, number) => (site, number)).OrderBy(one => one.site.Type)
            .ThenByDescending(one => wins[one.number]).ThenBy(one => one.number).Select(one => one.site)
        ];
    }

    /// <summary>The same as a policy's catalogue lists them.</summary>
    public static SiteCatalogue Catalogue(AccessTrace trace, IReadOnlyList<TraceSite> ordered) => new()
    {
        Version = 1,
        Types = [.. trace.Types.Select((name, type) => new CatalogueType
        {
            Name = name,
            Sites =
            [
                .. ordered.Where(site => site.Type == type)
                .Select(site => new CatalogueSite(site.Key.Name, site.Key.State, site.Key.Kind, site.IsRepeated))
            ],
        })],
    };
}
