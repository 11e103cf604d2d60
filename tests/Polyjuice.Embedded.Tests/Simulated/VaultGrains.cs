using Orleans.Transactions.Abstractions;

namespace Polyjuice.Embedded.Tests.Simulated;

[GenerateSerializer]
public sealed class Coins
{
    [Id(0)]
    public int Value { get; set; }
}

public interface IVault : IGrainWithStringKey
{
    [Transaction(TransactionOption.CreateOrJoin)]
    Task Put(int coins);

    [Transaction(TransactionOption.CreateOrJoin)]
    Task<int> Count();
}

public interface IVaultScout : IGrainWithStringKey
{
    [Transaction(TransactionOption.Create)]
    [Reconnaissance]
    Task Move(string from, string to);
}

/// <summary>Not reentrant: a call keeps others out until it has ended.</summary>
public sealed class VaultGrain([TransactionalState("coins")] ITransactionalState<Coins> coins) : Grain, IVault
{
    public Task Put(int amount) => coins.PerformUpdate(state => { state.Value += amount; });

    public Task<int> Count() => coins.PerformRead(state => state.Value);
}

public sealed class VaultScoutGrain : Grain, IVaultScout
{
    public async Task Move(string from, string to)
    {
        await GrainFactory.GetGrain<IVault>(from).Put(-1);
        await GrainFactory.GetGrain<IVault>(to).Put(1);
    }
}
