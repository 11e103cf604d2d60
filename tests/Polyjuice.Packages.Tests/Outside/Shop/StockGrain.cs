using Orleans.Transactions.Abstractions;

namespace Shop;

[GenerateSerializer]
public sealed class Stock
{
    [Id(0)]
    public int Left { get; set; }
}

public sealed class StockGrain([TransactionalState("stock")] ITransactionalState<Stock> stock) : Grain, IStockGrain
{
    public Task Take() => stock.PerformRead(state => state.Left--);
}
