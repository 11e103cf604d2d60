using Polyjuice.Contracts;
using Polyjuice.Policies;
using Polyjuice.Testing;
using Polyjuice.Waits;

namespace Polyjuice.Lab.Chaos;

/// <summary>What there is to exercise, and how it is called.</summary>
internal static class ChaosGroups
{
    public const string Runs = "runs with";
    public const string Transactions = "transactions committed";
    public const string Others = "transactions that ended otherwise";
    public const string Tables = "committed while a table was in force";
    public const string Faults = "faults";
    public const string Engines = "what engines have done";
    public const string DelayedAppends = "delayed appends";
    public const string DelayedMessages = "delayed messages";
    public const string Fenced = "silos that were deposed, went on and ended";

    /// <summary>A fault that lasts so long is one of its own.</summary>
    public static readonly TimeSpan LongPause = TimeSpan.FromSeconds(30);

    /// <summary>The faults that last so long in some runs.</summary>
    public static IReadOnlyList<FaultKind> LongPauses { get; } = [FaultKind.Pause, FaultKind.Deposition];

    public static string Silos(int count) => count == 1 ? "1 silo" : $"{count} silos";

    public static string Logs(ChaosLogs logs) => $"logs in {logs.ToString().ToLowerInvariant()}";

    public static string Long(FaultKind kind) => $"{kind} for {LongPause.TotalSeconds} s";

    public static IEnumerable<(string Name, long Count)> CountersOf(EngineStatistics all) =>
    [
        ("attempts", all.Attempts), ("attempts that aborted", all.AbortsByReason.Sum()),
        ("bodies resumed", all.Resumes), ("dry runs", all.DryRuns), ("reservations", all.Reservations),
        ("reservations that waited", all.ReservationWaits), ("reservations handed on early", all.HandedOn),
        ("access sets learned", all.LearnedAccessSets), ("access sets that were wrong", all.AccessSetMisses),
        ("waits", all.Waits), ("probes", all.ProbesSent), ("checkpoints", all.Checkpoints),
    ];

    /// <summary>All of what random runs of a workload should come to.</summary>
    public static void Expect(
        ChaosCoverage coverage, IEnumerable<string> transactions, IReadOnlyCollection<FaultKind> faults,
        bool hasLongPauses, bool hasAllTables)
    {
        coverage.Expect(
            Runs,
            [
                Silos(1),
                Silos(2),
                Silos(3),
                Logs(ChaosLogs.Memory),
                Logs(ChaosLogs.Files),
                DelayedAppends,
                DelayedMessages
            ]);
        coverage.Expect(Transactions, transactions);
        if (hasAllTables) coverage.Expect(Tables, [.. BuiltinPolicies.Names, TableRound.Random]);
        coverage.Expect(Faults, faults.Select(kind => kind.ToString()));
        if (hasLongPauses) coverage.Expect(Faults, LongPauses.Intersect(faults).Select(Long));
        if (faults.Contains(FaultKind.Deposition)) coverage.Expect(Faults, Fenced);
        coverage.Expect(Engines, CountersOf(new EngineStatistics()).Select(counter => counter.Name));
    }
}
