namespace Polyjuice.Lab.Workloads.Micro;

/// <summary>How often the records of each table were updated, as they say themselves.</summary>
internal sealed class MicroCounts
{
    private const int Concurrency = 64;

    public long Hot { get; set; }

    public long Cold { get; set; }

    public long Shared { get; set; }

    public long[] Own { get; } = new long[MicroWorkload.Types];

    /// <summary>Asks every record that a client may have touched. At rest: each is read by itself.</summary>
    public async Task ReadAsync(WorkloadCluster cluster, IReadOnlyList<MicroClient> clients)
    {
        var reads = new List<Func<Task>>();
        Add(
            clients.SelectMany(client => client.Hot),
            key => cluster.Grains.GetGrain<IHotRecordGrain>(key),
            (_, count) => Hot += count);
        Add(
            clients.SelectMany(client => client.Cold),
            key => cluster.Grains.GetGrain<IColdRecordGrain>(key),
            (_, count) => Cold += count);
        Add(
            clients.SelectMany(client => client.Shared),
            key => cluster.Grains.GetGrain<ISharedRecordGrain>(key),
            (_, count) => Shared += count);
        Add(
            clients.SelectMany(client => client.Own),
            own => OwnRecord(cluster, own.Type, own.Key),
            (own, count) => Own[own.Type] += count);
        var done = 0;
        await Batches.ForEachAsync(reads.Count, Concurrency, async i =>
        {
            await reads[i]();
            cluster.Progress((double)++done / reads.Count);
        });

        void Add<TKey>(IEnumerable<TKey> keys, Func<TKey, ICounterGrain> grainOf, Action<TKey, long> count) =>
            reads.AddRange(
                keys.Distinct().Select(key => (Func<Task>)(async () => count(key, await grainOf(key).Count()))));
    }

    /// <summary>Compares with what clients were told.</summary>
    /// <param name="told">Transactions, by type.</param>
    public InvariantCheck Check(IReadOnlyList<Tally> told)
    {
        var wrong = new List<string>();
        for (var type = 0; type < told.Count; type++)
            told[type].Compare($"updates of Micro{type + 1}'s own records", Own[type], wrong);
        var transactions = Own.Sum();
        Expect("hot", Hot, transactions);
        Expect("cold", Cold, transactions * MicroWorkload.ColdUpdates);
        Expect("shared", Shared, transactions * MicroWorkload.SharedUpdates);
        return InvariantCheck.Of(
            wrong,
            $"all tables count the same {transactions:N0} transactions, as acknowledged",
            "COUNTS DO NOT AGREE");

        void Expect(string table, long count, long expected)
        {
            if (count != expected)
                wrong.Add(
                    $"{table} records were updated {count:N0} times, and should have been {expected:N0} times by "
                    + $"{transactions:N0} transactions");
        }
    }

    private static ICounterGrain OwnRecord(WorkloadCluster cluster, int type, long key) => type switch
    {
        0 => cluster.Grains.GetGrain<IOwn1Grain>(key),
        1 => cluster.Grains.GetGrain<IOwn2Grain>(key),
        2 => cluster.Grains.GetGrain<IOwn3Grain>(key),
        3 => cluster.Grains.GetGrain<IOwn4Grain>(key),
        4 => cluster.Grains.GetGrain<IOwn5Grain>(key),
        5 => cluster.Grains.GetGrain<IOwn6Grain>(key),
        6 => cluster.Grains.GetGrain<IOwn7Grain>(key),
        7 => cluster.Grains.GetGrain<IOwn8Grain>(key),
        8 => cluster.Grains.GetGrain<IOwn9Grain>(key),
        _ => cluster.Grains.GetGrain<IOwn10Grain>(key),
    };
}
