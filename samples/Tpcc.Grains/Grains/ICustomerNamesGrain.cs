using Orleans;
using Orleans.Transactions.Abstractions;
using Orleans.Concurrency;
using Polyjuice;
using Tpcc.Schema;

namespace Tpcc.Grains;

/// <summary>The index of a district's customers by last name.</summary>
public interface ICustomerNamesGrain : IGrainWithIntegerKey
{
    /// <summary>
    /// Of the customers with that name, in the order of first names, the one in the middle, rounded up (clause
    /// 2.5.2.2). Throws <see cref="UnknownNameException"/> if there is none.
    /// </summary>
    [Transaction(TransactionOption.Join)]
    Task<int> FindMiddle(string lastName);

    /// <summary>Sets the index.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task Load(CustomerNames index);
}

/// <inheritdoc cref="ICustomerNamesGrain"/>
[Reentrant]
[TransactionGroup(Keys.WarehouseGroup, DividedBy = Keys.Districts)]
public sealed class CustomerNamesGrain(
    [TransactionalState("names")] ITransactionalState<CustomerNames> names) : Grain, ICustomerNamesGrain
{
    public Task<int> FindMiddle(string lastName) => names.PerformRead(index =>
    {
        if (!index.ByLastName.TryGetValue(lastName, out var customers)) throw new UnknownNameException();
        return customers[(customers.Length - 1) / 2];
    });

    public Task Load(CustomerNames index) => names.PerformUpdate(state => { state.ByLastName = index.ByLastName; });
}
