using System.Collections.Immutable;
using Orleans;
using Orleans.Concurrency;
using Orleans.Transactions.Abstractions;

namespace Polyjuice.Lab.Workloads.Ycsb;

/// <summary>What a <see cref="YcsbRecordGrain"/> keeps.</summary>
[GenerateSerializer]
public sealed class YcsbState
{
    /// <summary>The record; replaced as a whole, so that readers share it.</summary>
    [Id(0)]
    public YcsbRow Row { get; set; } = new();
}

/// <inheritdoc cref="IYcsbRecordGrain"/>
[Reentrant]
public sealed class YcsbRecordGrain(
    [TransactionalState("record")] ITransactionalState<YcsbState> record) : Grain, IYcsbRecordGrain
{
    private long Key => this.GetPrimaryKeyLong();

    /// <inheritdoc/>
    public async Task<YcsbRow> Read()
    {
        var row = await record.PerformRead(state => state.Row);
        return row.Fault(Key) is { } fault ? throw new YcsbRecordException(fault) : row;
    }

    /// <inheritdoc/>
    public Task Update(int field) => record.PerformUpdate(state => { state.Row = state.Row.With(Key, field); });

    /// <inheritdoc/>
    public Task Insert() => record.PerformUpdate(state => { state.Row = YcsbRow.Create(Key); });

    /// <inheritdoc/>
    public async Task ReadModifyWrite(int field)
    {
        var before = (await Read()).Updates;
        var seen = await record.PerformUpdate(state =>
        {
            var updates = state.Row.Updates;
            state.Row = state.Row.With(Key, field);
            return updates;
        });
        if (seen != before)
            throw new YcsbRecordException(
                $"record {Key} had {before} updates when it was read, and {seen} when the same transaction wrote it");
    }

    /// <inheritdoc/>
    public async Task<int> Scan(int count) => (await ReadFrom(Key, count)).Count(row => row.Exists);

    /// <inheritdoc/>
    public async Task Run(ImmutableArray<YcsbStep> steps)
    {
        foreach (var step in steps) await RunAsync(step);
    }

    private Task RunAsync(YcsbStep step) => step.Action switch
    {
        YcsbAction.Read => Record(step.Key).Read(),
        YcsbAction.Update => Record(step.Key).Update(step.Argument),
        YcsbAction.Insert => Record(step.Key).Insert(),
        YcsbAction.Scan => ReadFrom(step.Key, step.Argument),
        _ => Record(step.Key).ReadModifyWrite(step.Argument),
    };

    private Task<YcsbRow[]> ReadFrom(long key, int count) =>
        Task.WhenAll(Enumerable.Range(0, count).Select(i => Record(key + i).Read()));

    private IYcsbRecordGrain Record(long key) => key == Key ? this : GrainFactory.GetGrain<IYcsbRecordGrain>(key);
}
