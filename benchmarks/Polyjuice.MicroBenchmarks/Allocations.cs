namespace Polyjuice.MicroBenchmarks;

/// <summary>
/// The bytes that <see cref="UncontendedTransaction"/> allocates, and
/// no times: in a second, and the same however busy the machine is.
/// </summary>
internal static class Allocations
{
    private const int Warmup = 200_000;
    private const int Measured = 4_000;

    /// <summary>
    /// The least of so many counts: what is repeated by the clock (housekeeping), or now and then (a table that grows),
    /// comes on top, the more so the slower the machine is. Short ones, so that some have none of that, and many,
    /// because the compiler may still be at it when the first begin.
    /// </summary>
    private const int Runs = 100;

    /// <summary>What a read-modify-write with its commit may allocate.</summary>
    private const double BytesMax = 1_024;

    /// <summary>Prints them.</summary>
    /// <returns>Whether a read-modify-write stays within its bound.</returns>
    public static bool Print()
    {
        var isWithin = true;
        foreach (var policy in new[] { "occ", "ic3" })
        {
            var benchmark = new UncontendedTransaction { Policy = policy };
            benchmark.Setup();
            isWithin &= Print(
                policy, nameof(benchmark.ReadModifyWrite), benchmark.ReadModifyWrite, accesses: 1) <= BytesMax;
            Print(policy, nameof(benchmark.Read), benchmark.Read, accesses: 1);
            Print(policy, nameof(benchmark.Transfer), benchmark.Transfer, accesses: 2);
        }

        if (!isWithin) Console.WriteLine($"A read-modify-write allocates more than {BytesMax:N0} B.");
        return isWithin;
    }

    private static double Print(string policy, string name, Action operation, int accesses)
    {
        for (var i = 0; i < Warmup; i++) operation();
        var bytes = double.MaxValue;
        for (var run = 0; run < Runs; run++)
        {
            var before = GC.GetAllocatedBytesForCurrentThread();
            for (var i = 0; i < Measured; i++) operation();
            bytes = Math.Min(bytes, (GC.GetAllocatedBytesForCurrentThread() - before) / (double)Measured / accesses);
        }

        Console.WriteLine($"{policy,-4} {name,-16} {bytes,8:N0} B per access, its share of the commit included");
        return bytes;
    }
}
