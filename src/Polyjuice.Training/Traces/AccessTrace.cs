using Polyjuice.Policies;
using Polyjuice.Tracing;

namespace Polyjuice.Training.Traces;

/// <summary>
/// What a cluster's transactions accessed over some time: which sites, at which participants, when; and, if that was
/// recorded, by which calls they began. It says nothing of results. Immutable, so any thread may use it.
/// <see cref="TraceFile"/> reads one. Types, sites, grains, participants and silos are named by their places in the
/// lists here.
/// </summary>
internal sealed class AccessTrace
{
    private readonly TraceTransaction[] _transactions;
    private readonly TraceAccess[] _accesses;
    private readonly TraceCall[] _calls;
    private readonly TraceStates _states;

    internal AccessTrace(
        long startMicroseconds,
        IReadOnlyList<TraceSilo> silos,
        IReadOnlyList<string> types,
        IReadOnlyList<TraceSite> sites,
        IReadOnlyList<TraceGrain> grains,
        IReadOnlyList<TraceParticipant> participants,
        IReadOnlyList<TraceWindow> windows,
        TraceLosses losses,
        TraceTransaction[] transactions,
        TraceAccess[] accesses,
        TraceCallNames callNames,
        TraceCall[] calls,
        TraceStates states)
    {
        StartMicroseconds = startMicroseconds;
        Silos = silos;
        Types = types;
        Sites = sites;
        Grains = grains;
        Participants = participants;
        Windows = windows;
        Losses = losses;
        _transactions = transactions;
        _accesses = accesses;
        Methods = callNames.Methods;
        ArgumentEncoding = callNames.ArgumentEncoding;
        _calls = calls;
        _states = states;
    }

    /// <summary>
    /// When it starts, in microseconds since the Unix epoch, by the silos' clocks. All other times count from here.
    /// </summary>
    public long StartMicroseconds { get; }

    /// <summary>The silos that wrote it, each incarnation of its own.</summary>
    internal IReadOnlyList<TraceSilo> Silos { get; }

    /// <summary>The names of transaction types.</summary>
    public IReadOnlyList<string> Types { get; }

    /// <summary>The access sites, in the order in which they were first seen.</summary>
    internal IReadOnlyList<TraceSite> Sites { get; }

    /// <summary>The grains that were accessed.</summary>
    internal IReadOnlyList<TraceGrain> Grains { get; }

    /// <summary>The transactional states that were accessed.</summary>
    internal IReadOnlyList<TraceParticipant> Participants { get; }

    /// <summary>
    /// The times that were recorded whole, in order and apart from each other. A transaction that arrived within one is
    /// here with all of its accesses, unless it ended after it, or is counted among the losses.
    /// </summary>
    internal IReadOnlyList<TraceWindow> Windows { get; }

    /// <summary>What is not here although it happened.</summary>
    internal TraceLosses Losses { get; }

    /// <summary>The transactions, in the order of their arrival.</summary>
    internal ReadOnlySpan<TraceTransaction> Transactions => _transactions;

    /// <summary>The methods that calls are of; empty if no calls were recorded.</summary>
    public IReadOnlyList<TracedMethod> Methods { get; }

    /// <summary>
    /// How arguments of calls are encoded, which whoever makes the
    /// calls again must know; empty if no calls were recorded.
    /// </summary>
    public string ArgumentEncoding { get; }

    /// <summary>
    /// The calls that <see cref="Transactions"/> began with, in the same
    /// order; empty if no calls were recorded. Arguments may be personal data.
    /// </summary>
    internal ReadOnlySpan<TraceCall> Calls => _calls;

    /// <summary>
    /// States as of the windows in which they were accessed, in the order of time; empty if none were recorded.
    /// <see cref="StateImage"/> finds those of a moment. They may be personal data.
    /// </summary>
    internal ReadOnlySpan<TraceState> States => _states.All;

    /// <summary>
    /// How far apart the windows' starts are at which states were recorded, in microseconds; they are multiples of it
    /// since the Unix epoch. 0 if there are no states.
    /// </summary>
    public long StatePeriodMicroseconds => _states.PeriodMicroseconds;

    /// <summary>The accesses of all transactions; <see cref="AccessesOf"/> finds those of one.</summary>
    internal ReadOnlySpan<TraceAccess> Accesses => _accesses;

    /// <summary>How much time was recorded, in microseconds.</summary>
    public long RecordedMicroseconds => Windows.Sum(window => window.LengthMicroseconds);

    /// <summary>
    /// The accesses of a transaction's last attempt, in the order in which they
    /// were made. What ran in parallel is in the order in which it happened to run.
    /// </summary>
    /// <param name="transaction">One of <see cref="Transactions"/>.</param>
    internal ReadOnlySpan<TraceAccess> AccessesOf(in TraceTransaction transaction) =>
        _accesses.AsSpan(transaction.FirstAccess, transaction.AccessCount);

    /// <summary>
    /// The sites as a policy's catalogue lists them: for each type in the order in which they were first seen, which is
    /// a guess at the order in the code where types branch.
    /// </summary>
    /// <param name="version">The catalogue's version, from 1.</param>
    internal SiteCatalogue ToCatalogue(int version = 1)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(version, 1);
        return new SiteCatalogue
        {
            Version = version,
            Types = [.. Types.Select((name, type) => new CatalogueType
            {
                Name = name,
                Sites =
                [
                    .. Sites.Where(site => site.Type == type)
                    .Select(site => new CatalogueSite(site.Key.Name, site.Key.State, site.Key.Kind, site.IsRepeated))
                ],
            })],
        };
    }
}
