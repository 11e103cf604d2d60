using Orleans;
using Orleans.Concurrency;
using Orleans.Transactions.Abstractions;

namespace Polyjuice.Testing.Tests.Histories;

[GenerateSerializer]
public sealed class Balance
{
    [Id(0)]
    public long Cents { get; set; }

    [Id(1)]
    public List<string> Notes { get; set; } = [];
}

public sealed class OverdrawnException() : Exception("There is not as much.");

public interface ILedger : IGrainWithIntegerKey
{
    [Transaction(TransactionOption.CreateOrJoin), Reconnaissance]
    Task Move(long[] to, long cents);

    [Transaction(TransactionOption.CreateOrJoin)]
    Task Add(long cents);

    [Transaction(TransactionOption.CreateOrJoin)]
    Task Note(string note);

    [Transaction(TransactionOption.CreateOrJoin)]
    Task<long> Read();

    [Transaction(TransactionOption.CreateOrJoin)]
    Task<long> ReadAll(long[] others);

    [Transaction(TransactionOption.CreateOrJoin)]
    Task Overdraw(long to);
}

/// <summary>Two states, calls in parallel, accesses that come twice, and refusals.</summary>
[Reentrant]
public sealed class Ledger(
    [TransactionalState("main")] ITransactionalState<Balance> main,
    [TransactionalState("spare")] ITransactionalState<Balance> spare) : Grain, ILedger
{
    public async Task Move(long[] to, long cents)
    {
        await main.PerformUpdate(state => { state.Cents -= cents * to.Length; });
        await Task.WhenAll(to.Select(key => GrainFactory.GetGrain<ILedger>(key).Add(cents)));
        await spare.PerformUpdate(state =>
        {
            state.Notes.Add("moved");
            if (state.Notes.Count > 3) state.Notes.Clear();
        });
    }

    public async Task Add(long cents)
    {
        if (await main.PerformRead(state => state.Cents) > long.MaxValue / 2) throw new OverdrawnException();
        await main.PerformUpdate(state => { state.Cents += cents; });
    }

    public Task Note(string note) => main.PerformUpdate(state => state.Notes.Add(note));

    public Task<long> Read() => main.PerformRead(state => state.Cents);

    public async Task<long> ReadAll(long[] others)
    {
        var sum = await Read();
        foreach (var other in others) sum += await GrainFactory.GetGrain<ILedger>(other).Read();
        return sum;
    }

    public async Task Overdraw(long to)
    {
        await GrainFactory.GetGrain<ILedger>(to).Add(1);
        await main.PerformUpdate(state => { state.Cents -= 1; });
        throw new OverdrawnException();
    }
}
