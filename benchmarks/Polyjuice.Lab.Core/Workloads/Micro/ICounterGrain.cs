using Orleans;

namespace Polyjuice.Lab.Workloads.Micro;

/// <summary>A record that counts the transactions that have updated it.</summary>
public interface ICounterGrain : IGrainWithIntegerKey
{
    /// <summary>Counts one more.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task Add();

    /// <summary>How many there were.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task<long> Count();
}

/// <summary>A record of a large set that few meet at.</summary>
public interface IColdRecordGrain : ICounterGrain;

/// <summary>The same, of another table.</summary>
public interface ISharedRecordGrain : ICounterGrain;
