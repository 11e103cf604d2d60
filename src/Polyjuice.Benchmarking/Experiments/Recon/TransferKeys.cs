using Polyjuice.Benchmarking.Load;

namespace Polyjuice.Benchmarking.Experiments.Recon;

/// <summary>Chooses the records of a transfer, the first of which begins it.</summary>
internal interface ITransferKeys
{
    /// <summary>Different records.</summary>
    long[] Next(BenchmarkRandom random);
}

/// <summary>Five records by a Zipfian distribution.</summary>
internal sealed class SkewedTransfer(ZipfianGenerator records) : ITransferKeys
{
    public long[] Next(BenchmarkRandom random)
    {
        var keys = new long[5];
        records.NextDistinct(random, keys);
        return keys;
    }
}

/// <summary>
/// Ten records: of each of two partitions one of its hot records, the others uniformly among the rest (Thomson et al., "Calvin", SIGMOD 2012, §6.1). With a contention index of 1 every two transactions at a partition conflict.
/// </summary>
internal sealed class HotTransfer(IReadOnlyList<long>[] byPartition, double contentionIndex) : ITransferKeys
{
    private const int Records = 10;

    public long[] Next(BenchmarkRandom random)
    {
        var first = random.Next(byPartition.Length);
        var second = (first + 1) % byPartition.Length;
        var keys = new List<long>(Records);
        foreach (var partition in new[] { byPartition[first], byPartition[second] })
        {
            var hot = Math.Clamp((int)Math.Round(1 / contentionIndex), 1, partition.Count / 2);
            long key;
            do key = partition[random.Next(hot)];
            while (keys.Contains(key));
            keys.Add(key);
        }

        for (var i = 2; i < Records; i++)
        {
            var partition = byPartition[i % 2 == 0 ? first : second];
            var hot = Math.Clamp((int)Math.Round(1 / contentionIndex), 1, partition.Count / 2);
            long key;
            do key = partition[hot + random.Next(partition.Count - hot)];
            while (keys.Contains(key));
            keys.Add(key);
        }

        return [.. keys];
    }
}
