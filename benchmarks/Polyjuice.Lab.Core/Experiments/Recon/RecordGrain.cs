using Orleans;
using Orleans.Concurrency;
using Orleans.Transactions.Abstractions;

namespace Polyjuice.Lab.Experiments.Recon;

/// <summary>A number. Transfers move it about: all records together always hold 0.</summary>
internal interface IRecordGrain : IGrainWithIntegerKey
{
    /// <summary>
    /// Takes one for each of some other records from this one, and then gives
    /// it to them, in parallel: the shape of Smallbank's MultiTransfer.
    /// </summary>
    [Transaction(TransactionOption.CreateOrJoin), Reconnaissance]
    Task Transfer(long[] to);

    /// <summary>The same, and says beforehand what it is going to access.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    [Updates("record"), Updates("record", Of = nameof(to))]
    Task TransferDeclared(long[] to);

    /// <summary>The same, must not be run dry, and says nothing beforehand.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task TransferUnmarked(long[] to);

    /// <summary>Adds to it.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task Add(long amount);

    /// <summary>Reads it.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task<long> Get();
}

/// <summary>The state of a record.</summary>
[GenerateSerializer]
internal sealed class Record
{
    /// <summary>What it holds.</summary>
    [Id(0)]
    public long Value { get; set; }
}

/// <summary>What it takes to load a record when its grain is activated.</summary>
/// <param name="Time">How long.</param>
internal sealed record RecordLoad(TimeSpan Time);

/// <inheritdoc cref="IRecordGrain"/>
[Reentrant]
internal sealed class RecordGrain(
    [TransactionalState("record")] ITransactionalState<Record> record, RecordLoad load) : Grain, IRecordGrain
{
    /// <inheritdoc/>
    public override Task OnActivateAsync(CancellationToken cancellationToken) =>
        load.Time > TimeSpan.Zero ? Task.Delay(load.Time, cancellationToken) : Task.CompletedTask;

    /// <inheritdoc/>
    public async Task Transfer(long[] to)
    {
        await Add(-to.Length);
        await Task.WhenAll(to.Select(key => GrainFactory.GetGrain<IRecordGrain>(key).Add(1)));
    }

    /// <inheritdoc/>
    public Task TransferDeclared(long[] to) => Transfer(to);

    /// <inheritdoc/>
    public Task TransferUnmarked(long[] to) => Transfer(to);

    /// <inheritdoc/>
    public Task Add(long amount) => record.PerformUpdate(state => { state.Value += amount; });

    /// <inheritdoc/>
    public Task<long> Get() => record.PerformRead(state => state.Value);
}
