using System.Collections.Concurrent;
using Orleans;
using Orleans.Concurrency;
using Orleans.Transactions.Abstractions;

namespace Polyjuice.Orleans.Tests.Grains;

[GenerateSerializer]
public sealed class Order
{
    [Id(0)]
    public int Amount { get; set; }

    [Id(1)]
    public string[] Notes { get; set; } = [];
}

[GenerateSerializer, Immutable]
public sealed record Slip([property: Id(0)] int Number, [property: Id(1)] string Text);

/// <summary>Is paid, and counts how often its methods have run.</summary>
public interface ITill : IGrainWithIntegerKey
{
    [Transaction(TransactionOption.CreateOrJoin)]
    Task<int> Pay(int amount);

    [Transaction(TransactionOption.CreateOrJoin)]
    Task PayQuietly(int amount);

    [Transaction(TransactionOption.CreateOrJoin)]
    ValueTask<Slip> PayFor(Order order);

    [Transaction(TransactionOption.CreateOrJoin)]
    ValueTask PayInVain(int amount);

    /// <summary>Pays here, too.</summary>
    [Transaction(TransactionOption.Create)]
    Task<int> PayBoth(long other, int amount);

    /// <summary>Pays, and throws as long as <see cref="TillGrain.Refuses"/> says so.</summary>
    [Transaction(TransactionOption.Create)]
    Task<int> PayIfOpen(int amount);

    [Transaction(TransactionOption.Create)]
    Task<string> Describe(int characters);

    [Transaction(TransactionOption.Create), Updates("total")]
    Task<int> PayDeclared(int amount);

    [Transaction(TransactionOption.Create), Reconnaissance]
    Task<int> PayAfterDryRun(long other, int amount);

    [Transaction(TransactionOption.CreateOrJoin), ReadOnly]
    Task<int> Total();

    /// <summary>Is no transaction, and calls one.</summary>
    Task<int> PassOn(long other, int amount);

    /// <summary>Is no transaction, and starts one itself.</summary>
    Task RunOwn();
}

[Reentrant]
public sealed class TillGrain(
    [TransactionalState("total")] ITransactionalState<Balance> total, ITransactionClient transactions) : Grain, ITill
{
    private static readonly ConcurrentDictionary<long, int> s_runs = new();

    /// <summary>The keys of grains that throw.</summary>
    public static ConcurrentDictionary<long, bool> Refuses { get; } = new();

    /// <summary>How often methods of a till have run that pay.</summary>
    public static int RunsOf(long till) => s_runs.GetValueOrDefault(till);

    public Task<int> Pay(int amount)
    {
        s_runs.AddOrUpdate(this.GetPrimaryKeyLong(), 1, static (_, runs) => runs + 1);
        return total.PerformUpdate(state => state.Value += amount);
    }

    public Task PayQuietly(int amount) => Pay(amount);

    public async ValueTask<Slip> PayFor(Order order)
    {
        var number = await Pay(order.Amount);

        // Whoever looks at the arguments later sees something else.
        order.Notes = ["paid"];
        return new(number, $"{order.Amount} paid");
    }

    public async ValueTask PayInVain(int amount)
    {
        await Pay(amount);
        await transactions.RunTransaction(TransactionOption.Join, () => Task.FromResult(false));
    }

    public async Task<int> PayBoth(long other, int amount)
    {
        await Pay(amount);
        return await GrainFactory.GetGrain<ITill>(other).Pay(amount);
    }

    public async Task<int> PayIfOpen(int amount)
    {
        var number = await Pay(amount);
        if (Refuses.ContainsKey(this.GetPrimaryKeyLong())) throw new InvalidOperationException("It is closed.");
        return number;
    }

    public async Task<string> Describe(int characters)
    {
        await Pay(1);
        return new('x', characters);
    }

    public Task<int> PayDeclared(int amount) => Pay(amount);

    public Task<int> PayAfterDryRun(long other, int amount) => PayBoth(other, amount);

    public Task<int> Total() => total.PerformRead(state => state.Value);

    public async Task<int> PassOn(long other, int amount)
    {
        await Task.Yield();
        return await GrainFactory.GetGrain<ITill>(other).Pay(amount);
    }

    public Task RunOwn() => transactions.RunTransaction(TransactionOption.Create, () => Pay(1));
}
