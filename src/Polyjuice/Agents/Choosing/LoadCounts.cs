using System.Collections.Immutable;
using Polyjuice.Contracts;
using Polyjuice.Waits;

namespace Polyjuice.Agents;

/// <summary>
/// What a choice among tables goes by, counted since engines were made, or, as a difference, in a window. Sums of
/// several engines are sums of these. Immutable.
/// </summary>
internal sealed record LoadCounts
{
    private readonly ImmutableArray<long> _values;

    private LoadCounts(ImmutableArray<long> values) => _values = values;

    /// <summary>
    /// What is counted, in the order of <see cref="Values"/>: of the wire and of measurements, so only ever added to.
    /// </summary>
    public static IReadOnlyList<string> Names { get; } = Enum.GetNames<LoadCount>();

    /// <summary>Nothing.</summary>
    public static LoadCounts None { get; } = new([.. new long[Names.Count]]);

    /// <summary>The counts, in the order of <see cref="Names"/>.</summary>
    public IReadOnlyList<long> Values => _values;

    /// <summary>One of them.</summary>
    public long this[LoadCount count] => _values[(int)count];

    /// <summary>
    /// Of values in the order of <see cref="Names"/>; those that are missing are 0, and others are left out.
    /// </summary>
    public static LoadCounts Of(IReadOnlyList<long> values) =>
        new([.. Names.Select((_, i) => i < values.Count ? values[i] : 0)]);

    /// <summary>What engines have counted so far.</summary>
    public static LoadCounts Of(EngineStatistics statistics)
    {
        var aborts = statistics.AbortsByReason;
        var conflicts = 0L;
        for (var reason = 0; reason < aborts.Length; reason++)
        {
            if (((AbortReason)reason).IsConflict()) conflicts += aborts[reason];
        }

        ref var seen = ref statistics.Observed;
        return new(
        [
            statistics.Commits, statistics.Attempts, conflicts,
            aborts[(int)AbortReason.Deadlock] + aborts[(int)AbortReason.Yielded] + aborts[(int)AbortReason.Wounded],
            aborts[(int)AbortReason.Cascade], statistics.OpenMicroseconds, seen.Accesses, seen.Updates, seen.Met,
            seen.MetLater, seen.Hot, seen.Upgrades, seen.Remote, statistics.Waits, statistics.Appends,
            statistics.AppendMicroseconds, statistics.Held, aborts[(int)AbortReason.AccessSetMiss],
            statistics.Reservable,
        ]);
    }

    /// <summary>Whether all are equal.</summary>
    public bool Equals(LoadCounts? other) =>
        other is not null && _values.AsSpan().SequenceEqual(other._values.AsSpan());

    /// <inheritdoc/>
    public override int GetHashCode() =>
        _values.Aggregate(17, static (hash, value) => unchecked((hash * 31) + (int)value));

    /// <summary>These and others.</summary>
    public LoadCounts And(LoadCounts other) => new([.. _values.Zip(other._values, static (own, more) => own + more)]);

    /// <summary>What was counted after others.</summary>
    public LoadCounts Since(LoadCounts earlier) =>
        new([.. _values.Zip(earlier._values, static (now, before) => now - before)]);
}

/// <summary>One count of <see cref="LoadCounts"/>.</summary>
internal enum LoadCount
{
    /// <summary>Transactions committed.</summary>
    Commits,

    /// <summary>Attempts started.</summary>
    Attempts,

    /// <summary>Attempts that conflicts aborted.</summary>
    Conflicts,

    /// <summary>Those of them that were part of a cycle of waits, or gave way by their age.</summary>
    Deadlocks,

    /// <summary>Those of them that had built on one that was aborted.</summary>
    Cascades,

    /// <summary>See <see cref="EngineStatistics.OpenMicroseconds"/>.</summary>
    OpenMicroseconds,

    /// <summary>See <see cref="ObservedAccesses.Accesses"/>; so with the next six.</summary>
    Accesses,

    /// <inheritdoc cref="ObservedAccesses.Updates"/>
    Updates,

    /// <inheritdoc cref="ObservedAccesses.Met"/>
    Met,

    /// <inheritdoc cref="ObservedAccesses.MetLater"/>
    MetLater,

    /// <inheritdoc cref="ObservedAccesses.Hot"/>
    Hot,

    /// <inheritdoc cref="ObservedAccesses.Upgrades"/>
    Upgrades,

    /// <inheritdoc cref="ObservedAccesses.Remote"/>
    Remote,

    /// <summary>Waits for other transactions that were begun.</summary>
    Waits,

    /// <summary>Log appends begun.</summary>
    Appends,

    /// <summary>See <see cref="EngineStatistics.AppendMicroseconds"/>.</summary>
    AppendMicroseconds,

    /// <summary>Attempts that waited before they started.</summary>
    Held,

    /// <summary>Reserved attempts that came to something that they had not reserved, and were aborted for it.</summary>
    SetMisses,

    /// <summary>See <see cref="EngineStatistics.Reservable"/>.</summary>
    Reservable,
}
