using Orleans.Concurrency;
using Orleans.Transactions;
using Orleans.Transactions.Abstractions;

namespace Polyjuice.Orleans.Tests.GrainCode;

[GenerateSerializer]
public sealed class Balance
{
    [Id(0)]
    public int Value { get; set; } = 100;
}

public interface IWallet : IGrainWithStringKey
{
    [Transaction(TransactionOption.CreateOrJoin)]
    Task Add(int amount);

    [Transaction(TransactionOption.CreateOrJoin)]
    [ReadOnly]
    Task<int> Get();

    [Transaction(TransactionOption.Join)]
    Task AddJoined(int amount);

    [Transaction(TransactionOption.NotAllowed)]
    Task Outside();

    [Transaction(TransactionOption.Supported)]
    Task<bool> IsInTransaction();

    [Transaction(TransactionOption.Suppress)]
    Task<bool> IsInTransactionSuppressed();

    /// <summary>No attribute: the caller's transaction does not flow in.</summary>
    Task<bool> IsInTransactionPlain();

    Task AddPlain(int amount);
}

public interface ICashier : IGrainWithStringKey
{
    [Transaction(TransactionOption.Create)]
    Task Transfer(string from, string to, int amount);

    [Transaction(TransactionOption.Create)]
    Task TransferThenThrow(string from, string to, int amount);

    [Transaction(TransactionOption.Create)]
    Task<int> CatchAndGoOn(string account);

    [Transaction(TransactionOption.Create)]
    Task<List<bool>> Flow(string account);

    [Transaction(TransactionOption.Create)]
    Task CallOutside(string account);

    [Transaction(TransactionOption.Create)]
    Task Forget(string account);

    [Transaction(TransactionOption.Create)]
    Task<int> AddInParallel(List<string> accounts, List<int> seen);

    Task PlainTransfer(string from, string to, int amount);

    /// <summary>Runs until it is let go.</summary>
    [Transaction(TransactionOption.Create)]
    Task Hold(string arrived, string release);
}

[Reentrant]
public sealed class WalletGrain([TransactionalState("balance")] ITransactionalState<Balance> balance) : Grain, IWallet
{
    public Task Add(int amount) => balance.PerformUpdate(state =>
    {
        if (state.Value + amount < 0)
            throw new InvalidOperationException($"Account {this.GetPrimaryKeyString()} would be overdrawn.");
        state.Value += amount;
    });

    public Task<int> Get() => balance.PerformRead(state => state.Value);

    public Task AddJoined(int amount) => Add(amount);

    public Task Outside() => Task.CompletedTask;

    public Task<bool> IsInTransaction() => Probe();

    public Task<bool> IsInTransactionSuppressed() => Probe();

    public Task<bool> IsInTransactionPlain() => Probe();

    public Task AddPlain(int amount) => Add(amount);

    private async Task<bool> Probe()
    {
        try
        {
            await Get();
            return true;
        }
        catch (OrleansTransactionException)
        {
            return false;
        }
    }
}

public sealed class CashierGrain : Grain, ICashier
{
    public async Task Transfer(string from, string to, int amount)
    {
        await GrainFactory.GetGrain<IWallet>(from).AddJoined(-amount);
        await GrainFactory.GetGrain<IWallet>(to).AddJoined(amount);
    }

    public async Task TransferThenThrow(string from, string to, int amount)
    {
        await Transfer(from, to, amount);
        throw new CustomException("changed my mind");
    }

    public async Task<int> CatchAndGoOn(string account)
    {
        try
        {
            await GrainFactory.GetGrain<IWallet>(account).Add(-1_000);
        }
        catch (InvalidOperationException)
        {
            // The transaction is doomed all the same.
        }

        return 1;
    }

    public async Task<List<bool>> Flow(string account)
    {
        var grain = GrainFactory.GetGrain<IWallet>(account);
        return [
            await grain.IsInTransaction(),
            await grain.IsInTransactionSuppressed(),
            await grain.IsInTransactionPlain()
        ];
    }

    public Task CallOutside(string account) => GrainFactory.GetGrain<IWallet>(account).Outside();

    public Task Forget(string account)
    {
        _ = GrainFactory.GetGrain<IWallet>(account).Add(1);
        return Task.CompletedTask;
    }

    public async Task<int> AddInParallel(List<string> accounts, List<int> seen)
    {
        // What an attempt does to its arguments must not reach the next one.
        seen.Add(1);
        await Task.WhenAll(accounts.Select(account => GrainFactory.GetGrain<IWallet>(account).Add(1)));
        return seen.Count;
    }

    public async Task Hold(string arrived, string release)
    {
        Signals.Set(arrived);
        await Signals.WaitAsync(release);
    }

    public async Task PlainTransfer(string from, string to, int amount)
    {
        await GrainFactory.GetGrain<IWallet>(from).AddPlain(-amount);
        await GrainFactory.GetGrain<IWallet>(to).AddPlain(amount);
    }
}
