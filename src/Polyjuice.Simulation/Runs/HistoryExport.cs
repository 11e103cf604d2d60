using Polyjuice.Isolation;
using Polyjuice.Simulation.Grains;
using Polyjuice.Simulation.Workloads;

namespace Polyjuice.Simulation.Runs;

/// <summary>What clients asked for and were told, as a history for the isolation checker.</summary>
/// <remarks>
/// A transaction's steps are those of the last run of its body: earlier ones aborted before it began. What an aborted
/// transaction saw is left out, as Jepsen does. A client whose transaction's outcome is unknown goes on as another
/// process.
/// </remarks>
internal static class HistoryExport
{
    public static History Of(IReadOnlyList<TransactionRecord> records, WorkloadKind kind)
    {
        // Of one instant, what begins comes first: only who was told before another began must come before it.
        var moments = records
            .SelectMany(
                r => new[] { (Time: r.Started, IsEnd: false, Record: r), (Time: r.Ended, IsEnd: true, Record: r) })
            .OrderBy(m => m.Time).ThenBy(m => m.IsEnd).ThenBy(m => m.Record.Id);
        var processes = new Dictionary<int, int>();
        var ofClient = new Dictionary<int, int>();
        var last = 0;
        var history = new HistoryBuilder();
        foreach (var (time, isEnd, record) in moments)
        {
            if (!isEnd)
            {
                // Who is no client of the closed loop asks for one transaction only.
                if (record.Client < 0 || !ofClient.TryGetValue(record.Client, out var process))
                    ofClient[record.Client] = process = last++;
                processes[record.Id] = process;
                history.Invoke(process, time * 1_000, [.. Steps(record, kind, withResults: false)]);
                continue;
            }

            var asked = processes[record.Id];
            switch (record.Outcome)
            {
                case Outcome.Committed:
                    history.Ok(asked, time * 1_000, [.. Steps(record, kind, withResults: true)]);
                    break;
                case Outcome.Aborted:
                    history.Fail(asked, time * 1_000);
                    break;
                default:
                    history.Info(asked, time * 1_000);
                    ofClient.Remove(record.Client);
                    break;
            }
        }

        return history.Build();
    }

    /// <summary>The true order of all writes, as the logs have it in the end.</summary>
    public static Dictionary<HistoryKey, IReadOnlyList<long>> VersionOrders(IReadOnlyList<FinalAccount> final)
    {
        var orders = new Dictionary<HistoryKey, IReadOnlyList<long>>();
        for (var key = 0; key < final.Count; key++) orders.Add(key, final[key].Tokens);
        return orders;
    }

    private static IEnumerable<MicroOp> Steps(TransactionRecord record, WorkloadKind kind, bool withResults)
    {
        foreach (var seen in InOrder(record))
        {
            // An update read what it changed.
            yield return Read(seen, kind, withResults);
            if (seen.IsUpdate)
                yield return kind == WorkloadKind.Register
                    ? MicroOp.Write(seen.Account, seen.Written)
                    : MicroOp.Append(seen.Account, seen.Written);
        }
    }

    private static MicroOp Read(Observation seen, WorkloadKind kind, bool withResults)
    {
        if (!withResults) return MicroOp.Read(seen.Account);
        if (kind == WorkloadKind.Register)
            return MicroOp.ReadValue(seen.Account, seen.Before.Count == 0 ? null : seen.Before[^1]);
        return MicroOp.ReadList(seen.Account, seen.Before);
    }

    /// <summary>
    /// Branches that run side by side are noted branch by branch; on each account their order shows in what they saw.
    /// </summary>
    private static IEnumerable<Observation> InOrder(TransactionRecord record)
    {
        var seen = record.LastRun?.Observations ?? [];
        return record.Spec.HasParallelism
            ? seen.OrderBy(s => s.Account).ThenBy(s => s.Before.Count).ThenBy(s => s.IsUpdate)
            : seen;
    }
}
