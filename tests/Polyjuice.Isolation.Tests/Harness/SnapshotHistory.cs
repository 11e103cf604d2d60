namespace Polyjuice.Isolation.Tests.Harness;

/// <summary>
/// Histories of a database that gives every transaction a snapshot as of
/// its first step, and aborts it if another wrote what it writes meanwhile.
/// </summary>
internal static class SnapshotHistory
{
    public static History Of(int seed, int transactions, int keys)
    {
        var random = new Random(seed);
        var state = new Dictionary<HistoryKey, List<long>>();
        for (var key = 0; key < keys; key++) state[key] = [];
        var running = new List<(int Process, MicroOp[] Steps, Dictionary<HistoryKey, int> Lengths)>();
        var builder = new HistoryBuilder();
        var (next, value) = (0, 0L);
        while (next < transactions || running.Count > 0)
        {
            if (next < transactions && (running.Count == 0 || random.Next(2) == 0))
            {
                var steps = new MicroOp[random.Next(1, 4)];
                for (var i = 0; i < steps.Length; i++)
                {
                    HistoryKey key = random.Next(keys);
                    steps[i] = random.Next(2) == 0 ? MicroOp.Read(key) : MicroOp.Append(key, ++value);
                }

                builder.Invoke(next, builder.Count, steps);
                running.Add((next++, Execute(steps, state), state.ToDictionary(s => s.Key, s => s.Value.Count)));
                continue;
            }

            var at = random.Next(running.Count);
            var (process, done, lengths) = running[at];
            running.RemoveAt(at);
            var writes = done.Where(s => s.Kind == MicroOpKind.Append).ToList();
            if (writes.Exists(w => state[w.Key].Count != lengths[w.Key]))
            {
                builder.Fail(process, builder.Count);
                continue;
            }

            foreach (var write in writes) state[write.Key].Add(write.Value!.Value);
            builder.Ok(process, builder.Count, done);
        }

        return builder.Build();
    }

    private static MicroOp[] Execute(MicroOp[] steps, Dictionary<HistoryKey, List<long>> snapshot)
    {
        var own = new Dictionary<HistoryKey, List<long>>();
        var results = new MicroOp[steps.Length];
        for (var i = 0; i < steps.Length; i++)
        {
            if (!own.TryGetValue(steps[i].Key, out var values))
                own.Add(steps[i].Key, values = [.. snapshot[steps[i].Key]]);
            if (steps[i].Kind == MicroOpKind.Append) values.Add(steps[i].Value!.Value);
            results[i] = steps[i].Kind == MicroOpKind.Append ? steps[i] : MicroOp.ReadList(steps[i].Key, [.. values]);
        }

        return results;
    }
}
