using Orleans;

namespace Polyjuice.Orleans.Benchmarks.Plain;

/// <summary>A grain without transactions, whose calls do nothing: what they take is Orleans'.</summary>
[Alias("Polyjuice.Benchmarks.IPingGrain")]
public interface IPingGrain : IGrainWithIntegerKey
{
    /// <summary>Answers.</summary>
    /// <param name="value">Anything.</param>
    /// <returns>The same.</returns>
    [Alias("Ping")]
    Task<long> Ping(long value);

    /// <summary>Calls another such grain, one call after the other.</summary>
    /// <param name="target">The other's key.</param>
    /// <param name="calls">How many times.</param>
    [Alias("PingOther")]
    Task PingOther(long target, int calls);
}
