using System.Collections.Immutable;
using Polyjuice.Lab.Load;

namespace Polyjuice.Lab.Workloads.Micro;

/// <summary>
/// Draws transactions, makes them, and keeps books of what it was told and of which records it may have touched.
/// </summary>
internal sealed class MicroClient(
    WorkloadCluster cluster, ZipfianGenerator hot, int records, BenchmarkRandom random) : IWorkloadClient
{
    /// <summary>Transactions, by type.</summary>
    public IReadOnlyList<Tally> Told { get; } = [.. Enumerable.Range(0, MicroWorkload.Types).Select(_ => new Tally())];

    public HashSet<long> Hot { get; } = [];

    public HashSet<long> Cold { get; } = [];

    public HashSet<long> Shared { get; } = [];

    public HashSet<(int Type, long Key)> Own { get; } = [];

    public Task<OperationOutcome> RunOneAsync()
    {
        var type = random.Next(MicroWorkload.Types);
        var key = hot.Next(random);
        var keys = new MicroKeys
        {
            Cold = Distinct(MicroWorkload.ColdUpdates),
            Shared = Distinct(MicroWorkload.SharedUpdates),
            Own = random.Next(records)
        };
        Hot.Add(key);
        Cold.UnionWith(keys.Cold);
        Shared.UnionWith(keys.Shared);
        Own.Add((type, keys.Own));
        return EndAsync(type, Start(cluster.Grains.GetGrain<IHotRecordGrain>(key), type, keys));
    }

    private static Task Start(IHotRecordGrain grain, int type, MicroKeys keys) => type switch
    {
        0 => grain.Micro1(keys),
        1 => grain.Micro2(keys),
        2 => grain.Micro3(keys),
        3 => grain.Micro4(keys),
        4 => grain.Micro5(keys),
        5 => grain.Micro6(keys),
        6 => grain.Micro7(keys),
        7 => grain.Micro8(keys),
        8 => grain.Micro9(keys),
        _ => grain.Micro10(keys),
    };

    private ImmutableArray<long> Distinct(int count)
    {
        var keys = ImmutableArray.CreateBuilder<long>(count);
        while (keys.Count < count)
        {
            long key = random.Next(records);
            if (!keys.Contains(key)) keys.Add(key);
        }

        return keys.MoveToImmutable();
    }

    private async Task<OperationOutcome> EndAsync(int type, Task operation)
    {
        var outcome = await Outcomes.OfAsync(operation);
        Told[type].Book(outcome);
        return outcome;
    }
}
