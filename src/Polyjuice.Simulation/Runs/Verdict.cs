using Polyjuice.Agents;
using Polyjuice.Contracts;
using Polyjuice.Isolation;
using Polyjuice.Policies;
using Polyjuice.Reservations;
using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Grains;
using Polyjuice.Simulation.Workloads;
using Polyjuice.Waits;

namespace Polyjuice.Simulation.Runs;

/// <summary>
/// What is true of every run once faults have stopped: all transactions end and the engines come to rest (I4), the logs
/// alone give back what was there before every silo died (I3), and the history is serializable (I1, I2).
/// </summary>
internal static class Verdict
{
    /// <summary>Ends the run and judges it. Returns what the accounts hold.</summary>
    /// <exception cref="SimulationFailedException">An invariant is broken.</exception>
    public static IReadOnlyList<FinalAccount> Judge(
        SimulatedCluster cluster, WorkloadKind kind = WorkloadKind.Mixed, Action<History>? keep = null)
    {
        cluster.StopFaults();
        cluster.AwaitEnd(cluster.Records);
        cluster.Require(cluster.AllServed, 10_000_000, "progress", "a partition has no owner after faults stopped");
        Rest(cluster);
        var before = cluster.ReadAll();
        Rest(cluster);
        CheckReservations(cluster);
        cluster.Outside.Judge(cluster.Records, before);
        cluster.RestartEverything();
        if (cluster.Shape.KeepsToSets) cluster.LoadGrains();
        var after = cluster.ReadAll();
        Rest(cluster);
        CheckDurability(before, after);
        CheckSmoothness(cluster);
        cluster.Storage.Judge();
        foreach (var record in cluster.Records)
        {
            if (record.UserException?.Message == RandomWorkload.Inconsistent)
                throw new SimulationFailedException(
                    "opacity", $"{record} surfaced an exception that only an inconsistent view can raise");
        }

        new HistoryChecker(cluster.Records, after, cluster.Shape.OpeningBalance, cluster.Shape.SkewMax == 0).Check();
        CheckIsolation(cluster, kind, after, keep);
        return after;
    }

    /// <summary>A second opinion, by what clients saw alone.</summary>
    private static void CheckIsolation(
        SimulatedCluster cluster, WorkloadKind kind, IReadOnlyList<FinalAccount> after, Action<History>? keep)
    {
        var history = HistoryExport.Of(cluster.Records, kind);
        keep?.Invoke(history);
        var report = IsolationChecker.Check(history, new CheckOptions
        {
            Model = cluster.Shape.SkewMax == 0 ? ConsistencyModel.StrictSerializable : ConsistencyModel.Serializable,
            VersionOrders = HistoryExport.VersionOrders(after),
        });
        if (!report.IsValid) throw new SimulationFailedException("isolation", report.ToString());
    }

    private static void Rest(SimulatedCluster cluster)
    {
        if (!cluster.Loop.RunUntil(() => cluster.Loop.IsIdle, 30_000_000))
            throw new SimulationFailedException(
                "progress",
                $"the engines never come to rest:\n{string.Join('\n', cluster.Alive.SelectMany(Unfinished))}");
    }

    private static IEnumerable<string> Unfinished(SimulatedNode node)
    {
        foreach (var transaction in node.Engine.Transactions.All)
            yield return $"{node.Id} knows {transaction}: ended {transaction.IsEnded}, agent "
                + $"{transaction.Agent?.State}, frames {transaction.Frames?.Count}, waits {transaction.Waits?.Count}";
        foreach (var owner in node.Engine.Partitions.All)
        {
            yield return $"{node.Id} p{owner.Partition}: {owner}";
            foreach (var b in owner.Branches)
                yield return $"{node.Id} p{owner.Partition} {b.Id}: {b.State}, finished {b.IsFinished}, dependents "
                    + $"{b.Dependents}, logs {b.WillLog}/{b.OutcomeLogged}, manager p{b.Manager}e{b.ManagerEpoch}";
            foreach (var d in owner.Decisions)
                yield return $"{node.Id} p{owner.Partition} decides {d.Id}: {d.State}, missing acknowledgements "
                    + $"{d.MustAcknowledge?.Count ?? 0}";
        }
    }

    /// <summary>
    /// The deadline of waits is a safety net: where nothing goes
    /// wrong, it is never reached, and nobody is left in doubt.
    /// </summary>
    private static void CheckSmoothness(SimulatedCluster cluster)
    {
        if (cluster.Faults.Total > 0 || !cluster.Shape.Monitors) return;
        var inDoubt = 0L;
        if (cluster.Shape.KeepsToSets) CheckKeepers(cluster);
        foreach (var node in cluster.AllNodes)
        {
            var statistics = node.Engine.Statistics;
            if (statistics.WaitsEndedByDeadline > 0 && !cluster.Outside.WasSlow)
                throw new SimulationFailedException(
                    "wait-deadline",
                    $"{node.Id}: {statistics.WaitsEndedByDeadline} waits ended by their deadline, and nothing had "
                    + "gone wrong");
            inDoubt += statistics.AbortsByReason[(int)AbortReason.InDoubt];
        }

        if (inDoubt > cluster.Outside.Broken)
            throw new SimulationFailedException(
                "time-out",
                $"{inDoubt} transactions were in doubt, {cluster.Outside.Broken} final steps broke, and nothing else "
                + "had gone wrong");
    }

    /// <summary>What is over holds nothing and waits for nothing.</summary>
    private static void CheckReservations(SimulatedCluster cluster)
    {
        foreach (var participant in cluster.Alive.SelectMany(node => node.Engine.Partitions.All)
            .SelectMany(owner => owner.Participants))
        {
            if (participant.Reservations is { } left)
                throw new SimulationFailedException(
                    "reservation-left",
                    $"{participant.Key} is still reserved by "
                    + $"{string.Join(", ", left.Requests.Select(request => request.Transaction))}");
        }
    }

    /// <summary>
    /// Who reserves all that it accesses, in one order with all others, aborts for no conflict. That is so where the
    /// table makes all reserve: other tables may be tried on the same grains. And where no log refuses what has been
    /// handed on already, because it has too much to write: who is refused takes along who built on it.
    /// </summary>
    private static void CheckKeepers(SimulatedCluster cluster)
    {
        if (cluster.AllNodes.Any(
            static node => !ReservesAll(node)
                || node.Engine.Statistics.AbortsByReason[(int)AbortReason.LogOverloaded] > 0))
            return;

        // What was learned is a guess.
        if (cluster.AllNodes.Any(static node => node.Engine.Statistics.LearnedAccessSets > 0)) return;
        foreach (var node in cluster.AllNodes)
        {
            var statistics = node.Engine.Statistics;
            if (statistics.ReservationTimeouts > 0 || statistics.AccessSetMisses > 0)
                throw new SimulationFailedException(
                    "reservation",
                    $"{node.Id}: {statistics.ReservationTimeouts} attempts went on without what they had reserved, "
                    + $"{statistics.AccessSetMisses} strayed");
            for (var reason = 0; reason < statistics.AbortsByReason.Length; reason++)
            {
                if (statistics.AbortsByReason[reason] > 0 && ((AbortReason)reason).IsConflict())
                    throw new SimulationFailedException(
                        "reservation",
                        $"{node.Id}: {statistics.AbortsByReason[reason]} attempts that kept to what they had reserved "
                        + $"were aborted: {(AbortReason)reason}");
            }
        }
    }

    private static bool ReservesAll(SimulatedNode node)
    {
        var table = node.Policies.Current;
        for (var type = 0; type < node.Registry.Types.Count; type++)
        {
            if (table.AdmissionOf(type) != PolicyAdmission.DryRunReserve) return false;
        }

        return true;
    }

    private static void CheckDurability(IReadOnlyList<FinalAccount> before, IReadOnlyList<FinalAccount> after)
    {
        for (var i = 0; i < before.Count; i++)
        {
            if (before[i].Balance == after[i].Balance && before[i].Tokens.SequenceEqual(after[i].Tokens)) continue;
            throw new SimulationFailedException(
                "durability",
                $"account {i} was [{Words(before[i])}], and is [{Words(after[i])}] after recovery from the logs");
        }
    }

    private static string Words(FinalAccount account) => string.Join(' ', account.Tokens.Select(Token.Unpack));
}
