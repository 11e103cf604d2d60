using Polyjuice.Contracts;
using Polyjuice.Policies;
using Polyjuice.Training.Traces;
using Polyjuice.Versions;

namespace Polyjuice.Training.Replay;

/// <summary>
/// A trace as a shape: synthetic grains that make the recorded accesses in the recorded order and in parallel where the
/// application did, at the same access sites, so that a table for the one applies to the other. It needs nothing of the
/// application. Immutable, so any number of replays may share it. What it leaves out: what the application did without
/// a transaction, turns that a grain without <c>[Reentrant]</c> keeps, and calls that accessed nothing.
/// </summary>
internal sealed class ReplayWorkload
{
    private const int PartMin = 20;
    private const double TrainingShare = 0.7;

    /// <summary>How far that may be off so that windows stay whole.</summary>
    private const double TrainingShareOff = 0.2;

    private readonly AccessTrace _trace;
    private readonly int _trained;
    private readonly IReadOnlyList<TraceSite> _sites;

    /// <summary>Where each program's transaction stands in the trace.</summary>
    private readonly int[] _recorded;

    private ReplayWorkload(
        AccessTrace trace,
        ParticipantKey[] keys,
        int[] silos,
        GrainMethod[] methods,
        ReplayProgram[] programs,
        int[] recorded,
        int trained,
        long cut,
        int siloCount)
    {
        HeldOutFromMicroseconds = cut;
        Silos = siloCount;
        _recorded = recorded;
        _sites = SiteOrder.Of(trace);
        Catalogue = SiteOrder.Catalogue(trace, _sites);
        _trace = trace;
        _trained = trained;
        Keys = keys;
        SiloOfParticipant = silos;
        Methods = methods;
        Programs = programs;
        var updating = programs.Where(program => !program.IsReadOnly).Select(program => program.Type).Distinct().Order()
            .ToArray();
        ContendingTypes = updating.Length > 0 ? updating : [.. Enumerable.Range(0, trace.Types.Count)];
    }

    /// <summary>How many silos grains are placed on.</summary>
    public int Silos { get; }

    /// <summary>The transaction types' names.</summary>
    public IReadOnlyList<string> Types => _trace.Types;

    /// <summary>
    /// Those of the types whose rows decide anything in a replay, by their place in <see cref="Types"/>: a type that is
    /// only in the trace's names (what loaded the data, say) has no transactions, and what is declared to read only
    /// takes no part in concurrency control. All types if there are none.
    /// </summary>
    public IReadOnlyList<int> ContendingTypes { get; }

    /// <summary>
    /// The sites as a policy's catalogue lists them, each type's in the order in which its transactions pass them.
    /// </summary>
    public SiteCatalogue Catalogue { get; }

    /// <summary>
    /// The same without types of which there are no transactions to replay, and without sites that nobody passes: a
    /// trace has the names of others, too. Found out each time: it takes a look at each access, and hardly anybody
    /// asks.
    /// </summary>
    public SiteCatalogue RanCatalogue => RanIn(_trace, Catalogue, Programs);

    /// <summary>
    /// How many transactions there are to replay; those that the recorded system gave up are not among them.
    /// </summary>
    public int Count => Programs.Length;

    /// <summary>
    /// When <see cref="ReplayPart.HeldOut"/> begins, in microseconds since the trace's start: whoever makes calls of
    /// the trace that a search is not to have seen takes those that arrived from then on.
    /// </summary>
    public long HeldOutFromMicroseconds { get; }

    internal ParticipantKey[] Keys { get; }

    internal int[] SiloOfParticipant { get; }

    internal GrainMethod[] Methods { get; }

    internal ReplayProgram[] Programs { get; }

    /// <summary>Makes the shape of a trace.</summary>
    /// <param name="trace">What was recorded.</param>
    /// <param name="silos">
    /// Of the replay. If as many served the recorded accesses, grains stay
    /// where they were; otherwise they are spread by a hash of their identity.
    /// </param>
    /// <exception cref="ArgumentException">
    /// There are too few transactions to search on some and judge by others.
    /// </exception>
    public static ReplayWorkload Of(AccessTrace trace, int silos)
    {
        ArgumentNullException.ThrowIfNull(trace);
        ArgumentOutOfRangeException.ThrowIfLessThan(silos, 1);
        var builder = new ProgramBuilder(trace, PlaceParticipants(trace, silos));
        var programs = new List<ReplayProgram>();
        var recorded = new List<int>();
        var cut = CutOf(trace);
        var trained = 0;
        for (var i = 0; i < trace.Transactions.Length; i++)
        {
            var transaction = trace.Transactions[i];
            if (builder.Build(transaction) is not { } program) continue;
            programs.Add(program);
            recorded.Add(i);
            if (transaction.ArrivalMicroseconds < cut) trained++;
        }

        if (trained < PartMin || programs.Count - trained < PartMin)
            throw new ArgumentException(
                $"The trace has {trained} transactions to search on and {programs.Count - trained} to judge by; at "
                + $"least {PartMin} of each are needed. Record for longer.");
        return new ReplayWorkload(
            trace, MakeKeys(trace, builder.Silos, silos), builder.Silos, builder.Methods, [.. programs], [.. recorded],
            trained, cut, silos);
    }

    /// <summary>
    /// A registry that knows all of the trace's types and sites, in the catalogue's order, so that tables by rule see
    /// the same order as those that bring the catalogue.
    /// </summary>
    internal SiteRegistry CreateRegistry()
    {
        var registry = new SiteRegistry();
        foreach (var type in _trace.Types) registry.GetOrAddType(type);
        foreach (var site in _sites)
        {
            var info = registry.GetOrAddSite(site.Key);
            if (site.IsRepeated) info.MarkRepeated();
        }

        return registry;
    }

    /// <summary>The programs of a part, in the order of their arrival.</summary>
    internal int[] ProgramsOf(ReplayPart part) => part switch
    {
        ReplayPart.Training => [.. Enumerable.Range(0, _trained)],
        ReplayPart.HeldOut => [.. Enumerable.Range(_trained, Programs.Length - _trained)],
        _ => [.. Enumerable.Range(0, Programs.Length)],
    };

    /// <summary>
    /// What each transaction of a part accessed, in the order of their arrival: its type, and for each access its
    /// site's place among the type's sites, and the participant's number.
    /// </summary>
    internal IEnumerable<(int Type, (int Position, int Participant)[] Accesses)> AccessesOf(ReplayPart part)
    {
        var positionOf = _trace.Sites
            .Select(site => Catalogue.Types[site.Type].PositionOf(site.Key.Name)).ToArray();
        foreach (var program in ProgramsOf(part))
        {
            var transaction = _trace.Transactions[_recorded[program]];
            var accesses = _trace.AccessesOf(transaction).ToArray();
            yield return (
                transaction.Type,
                Array.ConvertAll(accesses, access => (positionOf[access.Site], access.Participant)));
        }
    }

    private static SiteCatalogue RanIn(AccessTrace trace, SiteCatalogue catalogue, ReplayProgram[] programs)
    {
        var types = programs.Select(program => trace.Types[program.Type]).ToHashSet(StringComparer.Ordinal);
        var sites = new HashSet<(string Type, string Site)>();
        foreach (var access in trace.Accesses)
        {
            var site = trace.Sites[access.Site];
            sites.Add((trace.Types[site.Type], site.Key.Name));
        }

        return catalogue with
        {
            Types = [.. catalogue.Types.Where(type => types.Contains(type.Name)).Select(Passed)],
        };

        CatalogueType Passed(CatalogueType type) =>
            type with { Sites = [.. type.Sites.Where(site => sites.Contains((type.Name, site.Name)))] };
    }

    /// <summary>
    /// When what is held out begins: with a window if one begins about there, else with a transaction.
    /// </summary>
    private static long CutOf(AccessTrace trace)
    {
        if (trace.Transactions.IsEmpty) return 0;
        var transactions = trace.Transactions.ToArray();
        var (cut, off) =
            (transactions[(int)(TrainingShare * transactions.Length)].ArrivalMicroseconds, TrainingShareOff);
        foreach (var window in trace.Windows.Skip(1))
        {
            var share = (double)transactions.Count(
                transaction => transaction.ArrivalMicroseconds < window.StartMicroseconds) / transactions.Length;
            if (Math.Abs(share - TrainingShare) < off)
                (cut, off) = (window.StartMicroseconds, Math.Abs(share - TrainingShare));
        }

        return cut;
    }

    private static int[] PlaceParticipants(AccessTrace trace, int silos)
    {
        var serving = trace.Participants.Select(participant => participant.Silo).Distinct().Order().ToList();
        if (serving.Count == silos)
            return [.. trace.Participants.Select(participant => serving.IndexOf(participant.Silo))];
        return [.. trace.Participants.Select(participant =>
        {
            var grain = trace.Grains[participant.Grain];
            return StableHash.Partition(grain.Key.Length > 0 ? grain.Key : $"{grain.Class}/{participant.Grain}", silos);
        })];
    }

    /// <summary>Keys whose hash is the partition that the silo serves: partitions have the silos' numbers.</summary>
    private static ParticipantKey[] MakeKeys(AccessTrace trace, int[] siloOf, int silos)
    {
        var grains = new Dictionary<(int Grain, int Silo), string>();
        var keys = new ParticipantKey[trace.Participants.Count];
        for (var i = 0; i < keys.Length; i++)
        {
            var participant = trace.Participants[i];
            var dot = participant.State.LastIndexOf('.');
            var grainClass = dot < 0 ? trace.Grains[participant.Grain].Class : participant.State[..dot];
            if (!grains.TryGetValue((participant.Grain, siloOf[i]), out var grain))
            {
                for (var salt = 0; ; salt++)
                {
                    grain = $"{grainClass}/{participant.Grain}.{salt}";
                    if (StableHash.Partition(grain, silos) == siloOf[i]) break;
                }

                grains.Add((participant.Grain, siloOf[i]), grain);
            }

            keys[i] = new ParticipantKey(grain, participant.State[(dot + 1)..], grainClass);
        }

        return keys;
    }
}
