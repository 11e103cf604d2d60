using System.Globalization;
using Polyjuice.Contracts;
using Polyjuice.Lab.Workloads;
using Polyjuice.Testing;

namespace Polyjuice.Lab.Chaos;

/// <summary>What a run came to. It is clean, or there would be none.</summary>
/// <param name="Outcomes">Operations by outcome, indexed by <see cref="OperationOutcome"/>.</param>
/// <param name="Invariant">What the workload's invariant said at the end, after all silos had crashed.</param>
/// <param name="Ledger">What went wrong, if anything was to.</param>
/// <param name="Statistics">What the engines of the silos that ran last have counted before they crashed.</param>
/// <param name="Swaps">Policies that were put in force while clients ran.</param>
/// <param name="Coverage">What was exercised.</param>
internal sealed record ChaosResult(
    IReadOnlyList<long> Outcomes, InvariantCheck Invariant, FaultLedger? Ledger, EngineStatistics Statistics, int Swaps,
    ChaosCoverage Coverage)
{
    /// <summary>The longest call, without the time for which this process stood still.</summary>
    public TimeSpan LongestCall { get; init; }

    /// <summary>How long after faults had ended it took until each client had committed something again.</summary>
    public TimeSpan Recovery { get; init; }

    /// <summary>Operations with that outcome.</summary>
    public long this[OperationOutcome outcome] => Outcomes[(int)outcome];

    /// <inheritdoc/>
    public override string ToString() => string.Create(
        CultureInfo.InvariantCulture,
        $"{this[OperationOutcome.Committed]:N0} committed, {this[OperationOutcome.Declined]:N0} refused, "
        + $"{this[OperationOutcome.Aborted]:N0} given up, {this[OperationOutcome.InDoubt]:N0} in doubt; {Swaps} swaps, "
        + $"{Ledger?.Entries.Count(entry => entry.Target is not null) ?? 0} faults; longest call "
        + $"{LongestCall.TotalSeconds:0.0} s, all clients served {Recovery.TotalSeconds:0.0} s after faults; "
        + $"{Invariant.Description}");
}
