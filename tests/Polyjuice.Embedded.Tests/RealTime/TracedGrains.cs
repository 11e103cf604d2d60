using System.Collections.Immutable;
using System.Globalization;
using Orleans.Concurrency;
using Orleans.Transactions.Abstractions;

namespace Polyjuice.Embedded.Tests.RealTime;

[GenerateSerializer]
public sealed class Sightings
{
    [Id(0)]
    public List<string> All { get; set; } = [];
}

/// <summary>Writes down what it is called with.</summary>
public interface ITraced : IGrainWithStringKey
{
    [Transaction(TransactionOption.CreateOrJoin)]
    Task See(long number, string? text, Basket basket, int[]? many, ImmutableArray<decimal> amounts, (int, string) pair, DateTime at, ITraced? other, CancellationToken cancellation);

    [Transaction(TransactionOption.CreateOrJoin)]
    Task See(long number);

    [Transaction(TransactionOption.CreateOrJoin)]
    Task See(string text);

    [Transaction(TransactionOption.CreateOrJoin)]
    Task TakeAll(Basket basket);

    [Transaction(TransactionOption.CreateOrJoin)]
    Task Refuse();

    [Transaction(TransactionOption.CreateOrJoin)]
    Task<string[]> Seen();
}

[Reentrant]
public sealed class TracedGrain([TransactionalState("seen")] ITransactionalState<Sightings> seen) : Grain, ITraced
{
    public Task See(long number, string? text, Basket basket, int[]? many, ImmutableArray<decimal> amounts, (int, string) pair, DateTime at, ITraced? other, CancellationToken cancellation) => Write(string.Create(
        CultureInfo.InvariantCulture,
        $"{number} {text ?? "null"} [{string.Join(',', basket.Items)}] {(many is null ? "null" : string.Join(',', many))} {string.Join(',', amounts)} {pair} {at:O} {at.Kind} {(other is null ? "null" : other.GetPrimaryKeyString())}"));

    public Task See(long number) => Write(number.ToString(CultureInfo.InvariantCulture));

    public Task See(string text) => Write(text);

    public async Task TakeAll(Basket basket)
    {
        await Write(string.Join(',', basket.Items));
        basket.Items.Clear();
    }

    public Task Refuse() => throw new CustomException("not today");

    public Task<string[]> Seen() => seen.PerformRead(state => state.All.ToArray());

    private Task Write(string what) => seen.PerformUpdate(state => state.All.Add(what));
}
