using Orleans;
using Orleans.Concurrency;

namespace TpccSilo.Grains;

/// <summary>The database: how much is in it, and whether it is consistent. Its key is 0.</summary>
public interface IDatabaseGrain : IGrainWithIntegerKey
{
    /// <summary>
    /// Loads the next rows, as long as there are some to load: those are there for good, all of them or none. Throws
    /// <see cref="OtherDatabaseException"/> if what is there is another database.
    /// </summary>
    [Transaction(TransactionOption.Create)]
    Task<DatabaseInfo> LoadNext(DatabaseTerms terms);

    /// <summary>What there is; <see langword="null"/> before the first row.</summary>
    [Transaction(TransactionOption.Create), ReadOnly]
    Task<DatabaseInfo?> Read();

    /// <summary>The twelve consistency conditions, on all rows at one moment, whatever changes meanwhile.</summary>
    [Transaction(TransactionOption.Create), ReadOnly]
    Task<ConsistencyReport> Check();
}
