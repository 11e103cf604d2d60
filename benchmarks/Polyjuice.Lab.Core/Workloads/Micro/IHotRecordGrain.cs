using System.Collections.Immutable;
using Orleans;
using Orleans.Concurrency;

namespace Polyjuice.Lab.Workloads.Micro;

/// <summary>
/// A record of the hot set. Each method is a transaction type of its own, and all do alike: update this record, some
/// cold ones, some that all types share, and one of the type's own.
/// </summary>
public interface IHotRecordGrain : ICounterGrain
{
    /// <summary>Runs one transaction of the type.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task Micro1(MicroKeys keys);

    /// <inheritdoc cref="Micro1"/>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task Micro2(MicroKeys keys);

    /// <inheritdoc cref="Micro1"/>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task Micro3(MicroKeys keys);

    /// <inheritdoc cref="Micro1"/>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task Micro4(MicroKeys keys);

    /// <inheritdoc cref="Micro1"/>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task Micro5(MicroKeys keys);

    /// <inheritdoc cref="Micro1"/>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task Micro6(MicroKeys keys);

    /// <inheritdoc cref="Micro1"/>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task Micro7(MicroKeys keys);

    /// <inheritdoc cref="Micro1"/>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task Micro8(MicroKeys keys);

    /// <inheritdoc cref="Micro1"/>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task Micro9(MicroKeys keys);

    /// <inheritdoc cref="Micro1"/>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task Micro10(MicroKeys keys);
}

/// <summary>What a transaction updates beside its hot record.</summary>
[GenerateSerializer]
[Immutable]
public sealed class MicroKeys
{
    /// <summary>Cold records, one after the other; different ones.</summary>
    [Id(0)]
    public required ImmutableArray<long> Cold { get; init; }

    /// <summary>Records that all types share, one after the other; different ones.</summary>
    [Id(1)]
    public required ImmutableArray<long> Shared { get; init; }

    /// <summary>The last one, of the type's own.</summary>
    [Id(2)]
    public required long Own { get; init; }
}
