using Orleans;
using Orleans.Concurrency;

namespace Polyjuice.Training.Orleans.Tests.GrainCode;

[Reentrant]
public sealed class TellerGrain : Grain, ITellerGrain
{
    public async Task Pay(IPurseGrain fee, IPurseGrain from, IPurseGrain to, IPurseGrain turnover)
    {
        await fee.Charge(1);
        await from.Take(10);
        await to.Put(9);
        await turnover.Settle(10);
    }

    public async Task Move(IPurseGrain from, IPurseGrain to)
    {
        await from.Take(10);
        await to.Put(10);
    }
}
