using System.Collections.Concurrent;
using Orleans.Concurrency;
using Orleans.Transactions.Abstractions;

namespace Polyjuice.Orleans.Tests.GrainCode;

public interface IScout : IGrainWithStringKey
{
    [Transaction(TransactionOption.Create)]
    [Reconnaissance]
    Task<int> Move(string from, string[] to);

    [Transaction(TransactionOption.Create)]
    Task<int> MoveUnmarked(string from, string[] to);

    [Transaction(TransactionOption.Create)]
    [Updates(
        "balance", Of = nameof(from),
        Grain = typeof(IWallet)), Reads(
            "balance", Of = nameof(from),
            Grain = typeof(IWallet)), Updates("balance", Of = nameof(to), Grain = typeof(IWallet))]
    Task<int> MoveDeclared(string from, string[] to);

    [Transaction(TransactionOption.Create), Reconnaissance]
    [Updates("balance", Of = nameof(account))]
    Task<int> MoveMisdeclared(IWallet account, string from, string[] to);
}

/// <summary>Moves money in parallel, and notes in which kind of run it did.</summary>
public sealed class ScoutGrain(IGrainFactory grains) : Grain, IScout
{
    private static readonly ConcurrentDictionary<string, ConcurrentQueue<bool>> s_runs = new();

    /// <summary>The runs that grain has had: whether each was dry.</summary>
    public static IEnumerable<bool> RunsOf(string key) => s_runs.GetValueOrDefault(key) ?? [];

    public Task<int> Move(string from, string[] to) => MoveCore(from, to);

    public Task<int> MoveUnmarked(string from, string[] to) => MoveCore(from, to);

    public Task<int> MoveDeclared(string from, string[] to) => MoveCore(from, to);

    public Task<int> MoveMisdeclared(IWallet account, string from, string[] to) => MoveCore(from, to);

    private async Task<int> MoveCore(string from, string[] to)
    {
        s_runs.GetOrAdd(this.GetPrimaryKeyString(), static _ => new()).Enqueue(TransactionContext.IsReconnaissance);
        await grains.GetGrain<IWallet>(from).Add(-to.Length);
        await Task.WhenAll(to.Select(key => grains.GetGrain<IWallet>(key).Add(1)));

        // Reading what it has written itself, dry or not.
        return await grains.GetGrain<IWallet>(from).Get();
    }
}

public interface IVault : IGrainWithStringKey
{
    [Transaction(TransactionOption.CreateOrJoin)]
    [Updates("balance"), Updates("balance", Of = nameof(to))]
    Task Move(string[] to);

    [Transaction(TransactionOption.CreateOrJoin)]
    Task Add(int amount);

    [Transaction(TransactionOption.CreateOrJoin)]
    Task<int> Get();
}

/// <summary>Says when it is being activated, and where its key has "slow" in it waits until it may.</summary>
[Reentrant]
public sealed class VaultGrain([TransactionalState("balance")] ITransactionalState<Balance> balance) : Grain, IVault
{
    public override Task OnActivateAsync(CancellationToken cancellationToken)
    {
        var key = this.GetPrimaryKeyString();
        Signals.Set($"{key} activating");
        return key.Contains("slow", StringComparison.Ordinal) ? Signals.WaitAsync($"{key} may") : Task.CompletedTask;
    }

    public async Task Move(string[] to)
    {
        await Add(-to.Length);
        await Task.WhenAll(to.Select(key => GrainFactory.GetGrain<IVault>(key).Add(1)));
    }

    public Task Add(int amount) => balance.PerformUpdate(state => { state.Value += amount; });

    public Task<int> Get() => balance.PerformRead(state => state.Value);
}
