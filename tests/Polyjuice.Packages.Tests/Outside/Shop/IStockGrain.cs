namespace Shop;

public interface IStockGrain : IGrainWithIntegerKey
{
    [Transaction(TransactionOption.CreateOrJoin)]
    Task Take();
}
