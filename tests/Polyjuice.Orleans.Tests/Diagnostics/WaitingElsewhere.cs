using System.Diagnostics;
using Microsoft.Extensions.DependencyInjection;
using Orleans;
using Orleans.TestingHost;
using Polyjuice.Orleans.Silos;
using Polyjuice.Orleans.Tests.Grains;
using Polyjuice.Tests.Shared;

namespace Polyjuice.Orleans.Tests.Diagnostics;

/// <summary>
/// Two transactions of the first silo, of which one waits for the other at a grain of the second. The table locks.
/// </summary>
internal static class WaitingElsewhere
{
    /// <summary>Runs them.</summary>
    /// <param name="cluster">Of two silos.</param>
    /// <param name="spans">Who hears of the second transaction only.</param>
    public static async Task RunAsync(InProcessTestCluster cluster, SpanRecorder spans)
    {
        var (here, there) = (cluster.Silos[0], cluster.Silos[1]);
        var owners = here.ServiceProvider.GetRequiredService<IPolyjuiceSilo>();
        var grains = here.ServiceProvider.GetRequiredService<IGrainFactory>();
        var account = Enumerable.Range(100, 1_000).Select(key => grains.GetGrain<IAccount>(key))
            .First(account => Equals(owners.OwnerOf(account.GetGrainId()), there.SiloAddress));
        var waits = there.ServiceProvider.GetRequiredService<IObservedSilo>();
        var transactions = here.ServiceProvider.GetRequiredService<ITransactionClient>();
        var (holds, release) = (NewSignal(), NewSignal());
        Activity.Current = null;
        var holder = transactions.RunTransaction(TransactionOption.Create, async () =>
        {
            await account.Deposit(1);
            holds.TrySetResult();
            await release.Task;
        });
        await await Task.WhenAny(holds.Task, holder);
        var before = waits.Statistics!.Waits;
        Activity.Current = spans.Root;
        var waiter = transactions.RunTransaction(TransactionOption.Create, () => account.Deposit(1));
        while (waits.Statistics!.Waits == before && !waiter.IsCompleted) await Task.Delay(10);
        release.SetResult();
        await Task.WhenAll(holder, waiter);
    }

    private static TaskCompletionSource NewSignal() => new(TaskCreationOptions.RunContinuationsAsynchronously);
}
