using System.Collections.Concurrent;
using Orleans;

namespace Polyjuice.Orleans.Tests.Grains;

/// <summary>Starts transactions that wait in the middle.</summary>
public interface IPatient : IGrainWithIntegerKey
{
    /// <summary>Deposits, and waits until it is cancelled.</summary>
    [Transaction(TransactionOption.Create)]
    Task DepositAndWait(long account, CancellationToken cancellationToken);

    /// <summary>Deposits, and waits for <see cref="PatientGrain.Release"/>, whatever else happens.</summary>
    [Transaction(TransactionOption.Create)]
    Task DepositAndIgnore(long account, CancellationToken cancellationToken);
}

public sealed class PatientGrain : Grain, IPatient
{
    private static readonly ConcurrentDictionary<long, (
        TaskCompletionSource Reached, TaskCompletionSource Released)> s_gates = new();

    /// <summary>Completes when the grain has deposited.</summary>
    public static Task Reached(long key) => Gate(key).Reached.Task.WaitAsync(TimeSpan.FromMinutes(1));

    public static void Release(long key) => Gate(key).Released.TrySetResult();

    public async Task DepositAndWait(long account, CancellationToken cancellationToken)
    {
        await GrainFactory.GetGrain<IAccount>(account).Deposit(1);
        Gate(this.GetPrimaryKeyLong()).Reached.TrySetResult();
        await Task.Delay(Timeout.Infinite, cancellationToken);
    }

    public async Task DepositAndIgnore(long account, CancellationToken cancellationToken)
    {
        await GrainFactory.GetGrain<IAccount>(account).Deposit(1);
        Gate(this.GetPrimaryKeyLong()).Reached.TrySetResult();
        await Gate(this.GetPrimaryKeyLong()).Released.Task;
    }

    private static (TaskCompletionSource Reached, TaskCompletionSource Released) Gate(long key) => s_gates.GetOrAdd(
        key,
        static _ =>
            (new(
                TaskCreationOptions.RunContinuationsAsynchronously), new(
                    TaskCreationOptions.RunContinuationsAsynchronously)));
}
