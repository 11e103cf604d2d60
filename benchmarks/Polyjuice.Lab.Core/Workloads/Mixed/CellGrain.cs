using System.Diagnostics.CodeAnalysis;
using Microsoft.Extensions.DependencyInjection;
using Orleans;
using Orleans.Concurrency;
using Orleans.Transactions.Abstractions;

namespace Polyjuice.Lab.Workloads.Mixed;

/// <summary>What both kinds of cell do.</summary>
public abstract class CellGrain(
    ITransactionalState<ListCell> list, ITransactionalState<MarkedCell> register,
    ITransactionalState<MarkedCell> account) : Grain, ICellGrain
{
    internal const string List = "list";
    internal const string Register = "register";
    internal const string Account = "account";

    private readonly OwnCalls _own = new();

    /// <inheritdoc/>
    public async Task<CellSight[]> Run(CellStep call)
    {
        ArgumentNullException.ThrowIfNull(call);
        var seen = await StepsAsync(call);
        return call.Declines ? throw new CellDeclinedException() : seen;
    }

    /// <inheritdoc/>
    public Task<CellSight[]> Look(CellStep call) => Run(call);

    /// <inheritdoc/>
    public Task<CellSight> Access(CellStep access)
    {
        ArgumentNullException.ThrowIfNull(access);
        return access.Part switch
        {
            CellPart.List => access.Mark == 0
                ? list.PerformRead(See)
                : list.PerformUpdate(state => Append(state, access.Mark)),
            CellPart.Register => access.Mark == 0
                ? register.PerformRead(See)
                : register.PerformUpdate(state => Write(state, access)),
            _ => access.Mark == 0 ? account.PerformRead(See) : account.PerformUpdate(state => Write(state, access)),
        };
    }

    /// <inheritdoc/>
    public Task<CellSight[]> RunOwn(long number, CellStep call) => _own.Once(number, () => RunOwnAsync(call));

    private static CellSight See(ListCell state) => new() { Elements = [.. state.Elements] };

    private static CellSight See(MarkedCell state) => new() { Mark = state.Mark, Balance = state.Balance };

    private static CellSight Append(ListCell state, long mark)
    {
        var before = See(state);
        state.Elements.Add(mark);
        return before;
    }

    private static CellSight Write(MarkedCell state, CellStep access)
    {
        var before = See(state);
        state.Mark = access.Mark;
        state.Balance += access.Amount;
        return before;
    }

    private async Task<CellSight[]> RunOwnAsync(CellStep call)
    {
        CellSight[] seen = [];
        await ServiceProvider.GetRequiredService<ITransactionClient>()
            .RunTransaction(TransactionOption.Create, async () => { seen = await Run(call); });
        return seen;
    }

    private async Task<CellSight[]> StepsAsync(CellStep call)
    {
        if (call.IsParallel) return [.. (await Task.WhenAll(call.Steps.Select(StepAsync))).SelectMany(seen => seen)];
        var all = new List<CellSight>();
        foreach (var step in call.Steps) all.AddRange(await StepAsync(step));
        return [.. all];
    }

    private async Task<CellSight[]> StepAsync(CellStep step)
    {
        var cell = step.Cell == this.GetPrimaryKeyString() ? this : Cells.Of(GrainFactory, step.Cell);
        return step.IsCall ? await cell.Run(step) : [await cell.Access(step)];
    }
}

/// <inheritdoc cref="IOpenCellGrain"/>
[Reentrant]
public sealed class OpenCellGrain(
    [TransactionalState(CellGrain.List)] ITransactionalState<ListCell> list,
    [TransactionalState(CellGrain.Register)] ITransactionalState<MarkedCell> register,
    [TransactionalState(CellGrain.Account)] ITransactionalState<MarkedCell> account)
    : CellGrain(list, register, account), IOpenCellGrain
{
    /// <inheritdoc/>
    public Task<CellSight[]> Pay(string to, CellStep call) => Run(call);

    /// <inheritdoc/>
    public Task<CellSight[]> Move(string to, CellStep call) => Run(call);
}

/// <inheritdoc cref="IClosedCellGrain"/>
[SuppressMessage("Polyjuice.Usage", "PJ0001", Justification = "Grains that keep their turn are what it is for.")]
public sealed class ClosedCellGrain(
    [TransactionalState(CellGrain.List)] ITransactionalState<ListCell> list,
    [TransactionalState(CellGrain.Register)] ITransactionalState<MarkedCell> register,
    [TransactionalState(CellGrain.Account)] ITransactionalState<MarkedCell> account)
    : CellGrain(list, register, account), IClosedCellGrain;
