using Polyjuice.Lab.Clusters;

namespace Polyjuice.Lab.Tool.Cold;

/// <summary>What <see cref="ColdBenchmark"/> measures.</summary>
/// <param name="Together">Grains of a transaction that calls all of them at once.</param>
/// <param name="InSequence">Grains of one that calls one after the other.</param>
/// <param name="StorageDelays">How long each call of the storage provider takes at least.</param>
/// <param name="Rounds">How often each is measured; the median counts.</param>
internal sealed record ColdPlan(int Together, int InSequence, IReadOnlyList<TimeSpan> StorageDelays, int Rounds)
{
    /// <summary>What is compared.</summary>
    public static IReadOnlyList<BenchmarkEngine> Engines { get; } =
    [
        BenchmarkEngine.Polyjuice, BenchmarkEngine.Orleans
    ];
}
