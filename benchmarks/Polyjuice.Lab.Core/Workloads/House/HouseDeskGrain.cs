using Orleans;
using Orleans.Concurrency;

namespace Polyjuice.Lab.Workloads.House;

/// <inheritdoc cref="IHouseDeskGrain"/>
[Reentrant]
public sealed class HouseDeskGrain : Grain, IHouseDeskGrain
{
    /// <inheritdoc/>
    public async Task Pay(long house, long from, long to)
    {
        await Purse(HouseWorkload.FeesOf(house)).Charge(HouseWorkload.Fee);
        await Purse(from).Take(HouseWorkload.Amount);
        await Purse(to).Put(HouseWorkload.Amount - HouseWorkload.Fee);
        await Purse(HouseWorkload.TurnoverOf(house)).Settle(HouseWorkload.Amount);
    }

    /// <inheritdoc/>
    public async Task Move(long from, long to)
    {
        await Purse(from).Take(HouseWorkload.Amount);
        await Purse(to).Put(HouseWorkload.Amount);
    }

    private IHousePurseGrain Purse(long key) => GrainFactory.GetGrain<IHousePurseGrain>(key);
}
