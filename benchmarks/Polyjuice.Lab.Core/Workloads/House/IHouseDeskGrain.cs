using Orleans;

namespace Polyjuice.Lab.Workloads.House;

/// <summary>Where clients pay and move money. Has none itself.</summary>
public interface IHouseDeskGrain : IGrainWithIntegerKey
{
    /// <summary>A payment at a house: its fee first, then from one customer to another, its turnover last.</summary>
    [Transaction(TransactionOption.Create)]
    Task Pay(long house, long from, long to);

    /// <summary>From one customer to another, without a house.</summary>
    [Transaction(TransactionOption.Create)]
    Task Move(long from, long to);
}
