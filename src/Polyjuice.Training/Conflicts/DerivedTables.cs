using Polyjuice.Policies;
using Polyjuice.Training.Replay;

namespace Polyjuice.Training.Conflicts;

/// <summary>
/// Tables for a search to begin with, derived from a workload's conflict graph: which sites conflict says whom to wait
/// for and until where, as in IC3 (SIGMOD'16), and how often they do says where that pays. The same workload and
/// clients give the same tables.
/// <list type="bullet">
/// <item><c>derived-pipeline</c>: IC3's waits for conflicts that the trace has, where <c>ic3</c> takes all sites of a
/// state for conflicting. An access waits until each dependency is past its type's last site that conflicts with this
/// one. Where sites conflict, reads are dirty and updates are exposed at once.</item>
/// <item><c>derived-pipeline-often</c>: the same for frequent conflicts alone.</item>
/// <item><c>derived-pieces</c>: the first one, and what is exposed is validated early.</item>
/// <item><c>derived-order</c>: the first one, but an access waits also for what later sites of its own transaction
/// conflict with. Transactions go one after another through all that they have in common.</item>
/// <item><c>derived-locks</c>: waits for holders at hot sites, as two-phase locking does; optimistic elsewhere.</item>
/// </list>
/// </summary>
internal static class DerivedTables
{
    /// <summary>Sites that conflict with so many of the transactions in flight, in the mean, do so often.</summary>
    private const double Often = 0.1;

    /// <summary>Sites that conflict with so many are hot: who comes there finds somebody.</summary>
    private const double Hot = 1;

    private static readonly PolicyCells _locking = new() { WaitForHolders = true };

    /// <summary>Derives the tables.</summary>
    /// <param name="workload">Whose conflicts; those of its transactions that tables are searched on.</param>
    /// <param name="clients">Of the closed loop: how many transactions are in flight.</param>
    /// <exception cref="ArgumentOutOfRangeException">There is no client.</exception>
    public static IReadOnlyList<PolicyDocument> Of(ReplayWorkload workload, int clients)
    {
        ArgumentNullException.ThrowIfNull(workload);
        ArgumentOutOfRangeException.ThrowIfLessThan(clients, 1);
        var graph = ConflictGraph.Of(workload);
        var (all, often, hot) = (At(0), At(Often), At(Hot));
        return
        [
            Table("derived-pipeline", site => Pipeline(all, site, all.LastMet)),
            Table("derived-pipeline-often", site => Pipeline(often, site, often.LastMet)),
            Table("derived-pieces", site => Validating(site, Pipeline(all, site, all.LastMet))),
            Table("derived-order", site => Pipeline(all, site, all.LastMetFrom)),
            Table("derived-locks", site => hot.MeetAny(site, _ => true) ? _locking : PolicyCells.Plain),
        ];

        Meetings At(double least) => new(graph, clients - 1, least);

        CatalogueType TypeOf(SitePlace site) => workload.Catalogue.Types[site.Type];

        CatalogueSite SiteOf(SitePlace site) => TypeOf(site).Sites[site.Position];

        bool Updates(SitePlace site) => SiteOf(site).Kind == AccessKind.Update;

        PolicyCells Pipeline(Meetings meetings, SitePlace site, Func<SitePlace, int, int> lastMet) => new()
        {
            Read = meetings.MeetAny(site, Updates) ? ReadVersion.Dirty : ReadVersion.Clean,
            Write = Updates(site) && meetings.MeetAny(site, _ => true)
                ? WriteVisibility.Public
                : WriteVisibility.Private,

            // Before its first access a transaction depends on nobody.
            Waits = site.Position == 0 ? PolicyWaits.None : WaitsFor(type => lastMet(site, type)),
        };

        PolicyWaits WaitsFor(Func<int, int> lastOf) => new(
            WaitCell.No,
            workload.ContendingTypes.Select(type => new SitePlace(type, lastOf(type))).Where(last => last.Position >= 0)
                .Select(last => KeyValuePair.Create(TypeOf(last).Name, WaitCell.For(SiteOf(last).Name))));

        // The commit validates what a last site did, and which pass of a loop is the last one nobody can tell.
        PolicyCells Validating(SitePlace site, PolicyCells row) => row with
        {
            EarlyValidation = row.Write == WriteVisibility.Public
                && site.Position < TypeOf(site).Sites.Count - 1 && !SiteOf(site).Loop,
        };

        PolicyDocument Table(string name, Func<SitePlace, PolicyCells> rowOf) => new()
        {
            Name = name,
            Rule = PolicyRules.Uniform,
            Catalogue = workload.Catalogue,
            Default = PolicyCells.Plain,
            Types =
            [
                .. graph.Sites.GroupBy(site => site.Type).Select(type => new TypePolicy
                {
                    Type = workload.Catalogue.Types[type.Key].Name,
                    Rows = [.. type.Select(site => new SiteRow(SiteOf(site).Name, rowOf(site)))],
                }),
            ],
        };
    }
}
