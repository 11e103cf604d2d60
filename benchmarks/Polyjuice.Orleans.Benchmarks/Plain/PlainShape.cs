using Orleans;

namespace Polyjuice.Orleans.Benchmarks.Plain;

/// <summary>Who makes the plain calls that are measured.</summary>
/// <param name="Name">How the command line names it.</param>
/// <param name="Calls">How many of them one operation makes.</param>
/// <param name="RunAsync">One operation of a caller, by the caller's number.</param>
internal sealed record PlainShape(string Name, int Calls, Func<IGrainFactory, int, Task> RunAsync)
{
    private const int CallsFromGrains = 100;

    // Callers' own grains, so that none waits for another's.
    private const int Targets = 1_000;

    /// <summary>All that there are.</summary>
    public static IReadOnlyList<PlainShape> All { get; } =
    [
        new("client", 1, static (grains, caller) => grains.GetGrain<IPingGrain>(caller).Ping(caller)),
        new("grain", CallsFromGrains, static (grains, caller) => grains.GetGrain<IPingGrain>(caller).PingOther(Targets + caller, CallsFromGrains)),
        new("transactional", CallsFromGrains, static (grains, caller) => grains.GetGrain<ITransactionalPingGrain>(caller).PingOther(Targets + caller, CallsFromGrains)),
    ];
}
