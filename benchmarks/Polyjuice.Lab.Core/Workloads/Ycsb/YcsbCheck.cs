namespace Polyjuice.Lab.Workloads.Ycsb;

/// <summary>Reads all records, and compares them with what clients were told.</summary>
internal sealed class YcsbCheck
{
    private const int Concurrency = 64;
    private const int NamedMax = 3;

    private readonly HashSet<long> _there = [];

    /// <summary>How often fields were overwritten, as records say.</summary>
    public long Updates { get; private set; }

    /// <summary>Reads each record by itself, when nothing else runs.</summary>
    /// <param name="cluster">Where.</param>
    /// <param name="keys">Keys run from 0 to this, exclusive.</param>
    /// <exception cref="YcsbRecordException">A record is not whole.</exception>
    public Task ReadAsync(WorkloadCluster cluster, int keys)
    {
        var done = 0;
        return Batches.ForEachAsync(keys, Concurrency, async key =>
        {
            var row = await cluster.Grains.GetGrain<IYcsbRecordGrain>(key).Read();
            Note(key, row);
            cluster.Progress((double)++done / keys);
        });
    }

    /// <summary>Takes in a record.</summary>
    public void Note(long key, YcsbRow row)
    {
        if (row.Exists) _there.Add(key);
        Updates += row.Updates;
    }

    /// <summary>Says whether that is what must be there.</summary>
    /// <param name="told">Updates.</param>
    /// <param name="inserted">The records that clients were told of.</param>
    public InvariantCheck Judge(Tally told, YcsbInserts inserted)
    {
        var wrong = new List<string>();
        told.Compare("fields overwritten", Updates, wrong);
        var missing = Enumerable.Range(0, inserted.Count).Where(key => inserted.IsTold(key) && !_there.Contains(key))
            .ToList();
        if (missing.Count > 0)
            wrong.Add(
                $"{missing.Count:N0} acknowledged records are not there: "
                + $"{string.Join(", ", missing.Take(NamedMax))}{(missing.Count > NamedMax ? ", …" : "")}");
        return InvariantCheck.Of(
            wrong,
            $"{_there.Count:N0} records are whole, with {Updates:N0} updates, as acknowledged",
            "RECORDS ARE WRONG");
    }
}
