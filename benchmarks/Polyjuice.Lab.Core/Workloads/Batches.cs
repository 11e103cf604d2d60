namespace Polyjuice.Lab.Workloads;

/// <summary>Many calls, a bounded number at a time.</summary>
public static class Batches
{
    /// <summary>Makes a call for every index, and completes when all have.</summary>
    /// <param name="count">Indexes run from 0 to this, exclusive.</param>
    /// <param name="concurrency">Calls under way at the most; at least 1.</param>
    /// <param name="call">Makes one.</param>
    public static async Task ForEachAsync(int count, int concurrency, Func<int, Task> call)
    {
        var next = 0;
        var workers = new Task[Math.Min(concurrency, count)];
        for (var w = 0; w < workers.Length; w++) workers[w] = WorkAsync();
        await Task.WhenAll(workers);

        // All workers run on the caller's one thread, so `next` needs no interlocking.
        async Task WorkAsync()
        {
            while (next < count) await call(next++);
        }
    }

    /// <summary>Reads a number from each of some grains, and adds them up.</summary>
    /// <param name="keys">Of the grains; each is read once.</param>
    /// <param name="concurrency">Calls under way at the most; at least 1.</param>
    /// <param name="read">Reads one.</param>
    public static async Task<long> SumAsync<TKey>(IEnumerable<TKey> keys, int concurrency, Func<TKey, Task<long>> read)
    {
        var distinct = keys.Distinct().ToList();
        var sum = 0L;
        await ForEachAsync(distinct.Count, concurrency, async i =>
        {
            // Not `sum += await …`: that would read the sum before the wait and lose what others added meanwhile.
            var number = await read(distinct[i]);
            sum += number;
        });
        return sum;
    }
}
