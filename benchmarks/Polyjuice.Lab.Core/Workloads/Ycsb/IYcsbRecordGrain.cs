using System.Collections.Immutable;
using Orleans;
using Orleans.Concurrency;

namespace Polyjuice.Lab.Workloads.Ycsb;

/// <summary>
/// One record of YCSB's table: ten fields of a hundred characters. Its key is its number in the order of insertion.
/// </summary>
public interface IYcsbRecordGrain : IGrainWithIntegerKey
{
    /// <summary>Reads all fields.</summary>
    /// <exception cref="YcsbRecordException">A field does not say what was written last.</exception>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task<YcsbRow> Read();

    /// <summary>Overwrites one field.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task Update(int field);

    /// <summary>Makes the record.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task Insert();

    /// <summary>
    /// Reads the record, and then overwrites one field: two accesses, between which nobody else may write.
    /// </summary>
    /// <exception cref="YcsbRecordException">Somebody has.</exception>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task ReadModifyWrite(int field);

    /// <summary>Reads this record and the next ones at once, as a snapshot; answers how many there are.</summary>
    [Transaction(TransactionOption.CreateOrJoin), ReadOnly]
    Task<int> Scan(int count);

    /// <summary>Does steps one after the other in one transaction.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task Run(ImmutableArray<YcsbStep> steps);
}

/// <summary>A record that has become what no sequence of transactions makes of it.</summary>
[GenerateSerializer]
public sealed class YcsbRecordException(string message) : Exception(message);
