using Polyjuice.Lab.Load;

namespace Polyjuice.Lab.Experiments.Recon;

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
/// Ten records: of each of two partitions one of its hot records, the others uniformly among the rest (Thomson et al.,
/// "Calvin", SIGMOD 2012, §6.1). With a contention index of 1 every two transactions at a partition conflict.
/// </summary>
internal sealed class HotTransfer(IReadOnlyList<long>[] byPartition, double contentionIndex) : ITransferKeys
{
    private const int Records = 10;

    public long[] Next(BenchmarkRandom random)
    {
        var first = random.Next(byPartition.Length);
        var second = (first + 1) % byPartition.Length;
        var keys = new List<long>(Records);
        Take(first, isHot: true);
        Take(second, isHot: true);
        while (keys.Count < Records) Take(keys.Count % 2 == 0 ? first : second, isHot: false);
        return [.. keys];

        // One that has not been taken yet, out of the hot records of a
        // partition, which come first, or out of the others.
        void Take(int at, bool isHot)
        {
            var partition = byPartition[at];
            var hot = Math.Clamp((int)Math.Round(1 / contentionIndex), 1, partition.Count / 2);
            long key;
            do key = isHot ? partition[random.Next(hot)] : partition[hot + random.Next(partition.Count - hot)];
            while (keys.Contains(key));
            keys.Add(key);
        }
    }
}
