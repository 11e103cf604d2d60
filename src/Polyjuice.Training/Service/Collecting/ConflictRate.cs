using Polyjuice.Policies;
using Polyjuice.Training.Traces;

namespace Polyjuice.Training.Service.Collecting;

/// <summary>
/// How much of a workload is in conflict, whatever table was in force: the Polyjuice paper's measure (§7.6.1).
/// Transactions that arrive within the same interval and access the same participant are in conflict if one of them
/// updates it; the rate is the share of transactions that are in conflict with another one. (What accesses have met at
/// run time, which a trace has too, depends on the table: those that wait make transactions last, and so meet more.)
/// </summary>
internal static class ConflictRate
{
    /// <summary>The rate of a trace, or <see langword="null"/> if it has too few transactions to say.</summary>
    /// <param name="trace">Of what.</param>
    /// <param name="intervalMicroseconds">
    /// The intervals' length, about as long as a transaction is under way; from 1.
    /// </param>
    /// <param name="transactionsMin">How many it takes; from 1.</param>
    public static double? Of(AccessTrace trace, long intervalMicroseconds, int transactionsMin)
    {
        ArgumentNullException.ThrowIfNull(trace);
        ArgumentOutOfRangeException.ThrowIfLessThan(intervalMicroseconds, 1);
        ArgumentOutOfRangeException.ThrowIfLessThan(transactionsMin, 1);
        var transactions = trace.Transactions;
        if (transactions.Length < transactionsMin) return null;
        var participants = new Dictionary<int, Use>();
        var conflicts = 0L;
        for (var from = 0; from < transactions.Length;)
        {
            var interval = transactions[from].ArrivalMicroseconds / intervalMicroseconds;
            var until = from + 1;
            while (until < transactions.Length
                && transactions[until].ArrivalMicroseconds / intervalMicroseconds == interval)
                until++;
            participants.Clear();
            for (var i = from; i < until; i++) Count(trace, transactions[i], participants);
            for (var i = from; i < until; i++) conflicts += IsInConflict(trace, transactions[i], participants) ? 1 : 0;
            from = until;
        }

        return (double)conflicts / transactions.Length;
    }

    private static void Count(AccessTrace trace, in TraceTransaction transaction, Dictionary<int, Use> participants)
    {
        var accesses = trace.AccessesOf(transaction);
        for (var i = 0; i < accesses.Length; i++)
        {
            var participant = accesses[i].Participant;
            if (!IsFirst(accesses, i)) continue;
            var use = participants.GetValueOrDefault(participant);
            participants[participant] = new Use(
                use.Transactions + 1, use.Updating + (Updates(trace, accesses, participant) ? 1 : 0));
        }
    }

    private static bool IsInConflict(
        AccessTrace trace, in TraceTransaction transaction, Dictionary<int, Use> participants)
    {
        var accesses = trace.AccessesOf(transaction);
        for (var i = 0; i < accesses.Length; i++)
        {
            var use = participants[accesses[i].Participant];
            if (use.Transactions > 1 && use.Updating > 0) return true;
        }

        return false;
    }

    private static bool IsFirst(ReadOnlySpan<TraceAccess> accesses, int place)
    {
        for (var i = 0; i < place; i++)
        {
            if (accesses[i].Participant == accesses[place].Participant) return false;
        }

        return true;
    }

    private static bool Updates(AccessTrace trace, ReadOnlySpan<TraceAccess> accesses, int participant)
    {
        foreach (ref readonly var access in accesses)
        {
            if (access.Participant == participant && trace.Sites[access.Site].Key.Kind == AccessKind.Update)
                return true;
        }

        return false;
    }

    /// <summary>How many transactions of an interval access a participant, and how many of them update it.</summary>
    private readonly record struct Use(int Transactions, int Updating);
}
