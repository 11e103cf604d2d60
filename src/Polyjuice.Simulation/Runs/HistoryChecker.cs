using Polyjuice.Contracts;
using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Grains;

namespace Polyjuice.Simulation.Runs;

/// <summary>One account at the end of a run.</summary>
internal sealed record FinalAccount(IReadOnlyList<long> Tokens, long Balance);

/// <summary>
/// Judges a run by what callers were told, what bodies saw, and what the accounts hold at the end. List-append
/// histories make every account's version order visible, so that the serialization graph is exact and nothing has to be
/// guessed.
/// </summary>
/// <remarks>The violations, by kind:
/// <list type="bullet">
/// <item><c>lost-commit</c>: a caller was told "committed" and a write is missing (I3).</item>
/// <item><c>aborted-visible</c>: a caller was told "aborted", or
/// the body never ended, and a write is there (I3).</item>
/// <item><c>atomicity</c>: some of an attempt's writes are there, and others not, or not as often (R1c).</item>
/// <item><c>aborted-read</c>: a committed transaction read what is not in the final history (G1a).</item>
/// <item><c>unrepeatable</c>: one attempt saw two versions of an account, or not its own write (internal).</item>
/// <item><c>cycle</c>: the serialization graph of ww, wr and rw edges
/// has a cycle (G0, G1b, G1c, G2, lost update, write skew; I2).</item>
/// <item><c>strictness</c>: it has one together with real-time edges (I2).</item>
/// <item><c>balance</c>: a balance is not what the history of its account adds up to.</item>
/// </list></remarks>
internal sealed class HistoryChecker(
    IReadOnlyList<TransactionRecord> records, IReadOnlyList<FinalAccount> final, long openingBalance,
    bool checkRealTime)
{
    private readonly Dictionary<int, TransactionRecord> _byId = records.ToDictionary(r => r.Id);

    /// <summary>Throws <see cref="SimulationFailedException"/> when an invariant is broken.</summary>
    public void Check()
    {
        var visible = final.SelectMany(a => a.Tokens).Select(Token.TransactionOf).ToHashSet();
        var committed = new List<TransactionRecord>();
        foreach (var record in records)
        {
            if (record.Outcome == Outcome.Running)
                throw new SimulationFailedException("progress", $"{record} never ended");
            CheckOutcome(record, visible.Contains(record.Id));
            if (record.Outcome == Outcome.Committed || visible.Contains(record.Id)) committed.Add(record);
        }

        foreach (var token in final.SelectMany(a => a.Tokens))
        {
            if (!_byId.ContainsKey(Token.TransactionOf(token)))
                Fail("aborted-visible", $"token {token} belongs to nobody");
        }

        // A user's exception surfaces only if what was read is a view that a serial execution could give (opacity).
        var readers = records.Where(r => r.Abort?.Reason == AbortReason.UserException).ToList();
        foreach (var record in committed.Concat(readers)) CheckReads(record);
        CheckGraph(committed, readers);
        CheckBalances(committed);
    }

    private void CheckOutcome(TransactionRecord record, bool isVisible)
    {
        var run = record.LastRun;
        if (record.Outcome == Outcome.Aborted && isVisible)
            Fail("aborted-visible", $"{record} wrote what is in the final state");
        if (isVisible && run is not { Completed: true })
            Fail("aborted-visible", $"{record} is in the final state, and its last body never completed");
        if (record.Outcome == Outcome.Committed && run is not { Completed: true })
            Fail("atomicity", $"{record} committed without a complete body");
        if (!isVisible && record.Outcome != Outcome.Committed) return;
        for (var account = 0; account < final.Count; account++)
        {
            var expected = run!.Observations.Where(o => o.Account == account && o.IsUpdate).Select(o => o.Written)
                .Order().ToArray();
            var actual = final[account].Tokens.Where(t => Token.TransactionOf(t) == record.Id).Order().ToArray();
            if (expected.SequenceEqual(actual)) continue;
            var kind = record.Outcome == Outcome.Committed && actual.Length == 0 ? "lost-commit" : "atomicity";
            Fail(kind, $"{record} must have written {Words(expected)} to account {account}; there is {Words(actual)}");
        }
    }

    private void CheckReads(TransactionRecord record)
    {
        var foreign = new Dictionary<int, long[]>();
        var own = new Dictionary<int, int>();
        foreach (var seen in record.LastRun!.Observations)
        {
            var others = OthersOf(record, seen);
            if (!IsPrefix(others, final[seen.Account].Tokens))
                Fail(
                    "aborted-read",
                    $"{record} saw {Words(seen)}, not a prefix of {Words(final[seen.Account].Tokens)}");
            if (foreign.TryAdd(seen.Account, others) is false && !foreign[seen.Account].SequenceEqual(others))
                Fail(
                    "unrepeatable",
                    $"{record} saw account {seen.Account} as {Words(foreign[seen.Account])} and as {Words(others)}");
            var ownSeen = seen.Before.Count - others.Length;
            own.TryGetValue(seen.Account, out var ownWritten);
            if (!record.Spec.HasParallelism && ownSeen != ownWritten)
                Fail(
                    "unrepeatable",
                    $"{record} saw {ownSeen} of its own {ownWritten} writes to account {seen.Account}");
            if (seen.IsUpdate) own[seen.Account] = ownWritten + 1;
        }
    }

    private void CheckGraph(List<TransactionRecord> committed, List<TransactionRecord> readers)
    {
        var graph = new DependencyGraph();
        int NodeOf(long token) => graph.Node(Token.TransactionOf(token), $"T{Token.TransactionOf(token)}");
        for (var account = 0; account < final.Count; account++)
        {
            var tokens = final[account].Tokens;
            for (var i = 1; i < tokens.Count; i++)
                graph.Edge(NodeOf(tokens[i - 1]), NodeOf(tokens[i]), $"ww x{account}");
        }

        foreach (var record in committed.Concat(readers))
        {
            var self = graph.Node(record.Id, $"T{record.Id}");
            foreach (var seen in record.LastRun!.Observations)
            {
                var others = OthersOf(record, seen);
                var tokens = final[seen.Account].Tokens;
                if (others.Length > 0) graph.Edge(NodeOf(others[^1]), self, $"wr x{seen.Account}");
                var next = others.Length;
                while (next < tokens.Count && Token.TransactionOf(tokens[next]) == record.Id) next++;
                if (next < tokens.Count) graph.Edge(self, NodeOf(tokens[next]), $"rw x{seen.Account}");
            }
        }

        if (graph.FindCycle() is { } cycle) Fail("cycle", cycle);
        if (!checkRealTime) return;
        AddRealTime(graph, [.. committed.Where(r => r.Outcome == Outcome.Committed), .. readers]);
        if (graph.FindCycle() is { } late) Fail("strictness", late);
    }

    /// <summary>
    /// Who was told before another started comes before it: through a chain of moments, so that the edges stay few.
    /// </summary>
    private static void AddRealTime(DependencyGraph graph, List<TransactionRecord> told)
    {
        var moments = told.SelectMany(
            r => new[] { (Time: r.Started, IsEnd: 1, Record: r), (Time: r.Ended, IsEnd: 0, Record: r) })
            .Where(m => m.IsEnd == 0 || m.Time >= 0)
            .OrderBy(m => m.Time).ThenByDescending(m => m.IsEnd).ThenBy(m => m.Record.Id);
        var last = -1;
        foreach (var (time, isEnd, record) in moments)
        {
            var node = graph.Node(record.Id, $"T{record.Id}");
            if (isEnd == 1)
            {
                if (last >= 0) graph.Edge(last, node, "real time");
                continue;
            }

            var moment = graph.Moment($"({time} µs)");
            if (last >= 0) graph.Edge(last, moment, "then");
            graph.Edge(node, moment, "told");
            last = moment;
        }
    }

    private void CheckBalances(List<TransactionRecord> committed)
    {
        var deltas = committed.SelectMany(r => r.LastRun!.Observations).Where(o => o.IsUpdate)
            .ToDictionary(o => o.Written, o => o.Delta);
        for (var account = 0; account < final.Count; account++)
        {
            var sum = openingBalance + final[account].Tokens.Sum(t => deltas[t]);
            if (sum != final[account].Balance)
                Fail("balance", $"account {account} holds {final[account].Balance}, its history says {sum}");
        }

        foreach (var record in committed)
        {
            foreach (var seen in record.LastRun!.Observations)
            {
                var sum = openingBalance + seen.Before.Sum(t => deltas[t]);
                if (sum != seen.Balance)
                    Fail(
                        "balance",
                        $"{record} saw account {seen.Account} with {seen.Balance}, its history until then says {sum}");
            }
        }
    }

    /// <summary>The tokens that others had written; own ones come last or the version order is broken.</summary>
    private static long[] OthersOf(TransactionRecord record, Observation seen)
    {
        var others = seen.Before.TakeWhile(t => Token.TransactionOf(t) != record.Id).ToArray();
        if (seen.Before.Skip(others.Length).Any(t => Token.TransactionOf(t) != record.Id))
            Fail(
                "unrepeatable",
                $"{record} saw somebody else's write after its own on account {seen.Account}: {Words(seen.Before)}");
        return others;
    }

    private static bool IsPrefix(long[] prefix, IReadOnlyList<long> of)
    {
        if (prefix.Length > of.Count) return false;
        for (var i = 0; i < prefix.Length; i++)
        {
            if (prefix[i] != of[i]) return false;
        }

        return true;
    }

    private static string Words(Observation seen) => $"x{seen.Account}={Words(seen.Before)}";

    private static string Words(IEnumerable<long> tokens) => $"[{string.Join(' ', tokens.Select(Token.Unpack))}]";

    private static void Fail(string kind, string message) => throw new SimulationFailedException(kind, message);
}
