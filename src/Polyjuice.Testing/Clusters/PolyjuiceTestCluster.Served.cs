using Orleans;
using Orleans.Runtime;

namespace Polyjuice.Testing;

public sealed partial class PolyjuiceTestCluster
{
    private static readonly TimeSpan s_lookInterval = TimeSpan.FromMilliseconds(10);
    private static readonly TimeSpan s_timeout = TimeSpan.FromMinutes(1);
    private static readonly TimeSpan s_answerTimeout = TimeSpan.FromSeconds(2);

    /// <summary>
    /// Completes when the silos that run agree on who they are, each log partition is served by one of them, and the
    /// client is answered. Silos that stand still must go on, or be declared dead, before that can be.
    /// </summary>
    /// <param name="timeout">The bound; 1 min by default.</param>
    /// <exception cref="TimeoutException">
    /// It did not come to that in time; the message says what each silo lacks.
    /// </exception>
    public Task WhenServedAsync(TimeSpan? timeout = null) => WhenAsync(
        async end => IsServed() && await IsAnsweredAsync(end).ConfigureAwait(false),
        () => "The cluster is not served, or does not answer its client: "
            + $"{string.Join("; ", Silos.Select(silo => $"{silo} {silo.State}, {silo.Engine.Readiness}"))}.",
        timeout);

    /// <summary>
    /// Completes when every transaction that has begun on the silos that run has ended. A transaction outlives the call
    /// of a client that has waited for its answer as long as it does; what is read before it ends may be of before it
    /// or of after it.
    /// </summary>
    /// <param name="timeout">The bound; 1 min by default.</param>
    /// <exception cref="TimeoutException">Some have not ended in time; the message names their silos.</exception>
    public Task WhenIdleAsync(TimeSpan? timeout = null) => WhenAsync(
        _ => new(Busy().Length == 0),
        () => $"Transactions have not ended, begun on {string.Join(" and ", Busy().Select(silo => silo.ToString()))}.",
        timeout);

    private static async Task WhenAsync(
        Func<CancellationToken, ValueTask<bool>> holds, Func<string> complaint, TimeSpan? timeout)
    {
        using var end = new CancellationTokenSource(timeout ?? s_timeout);
        try
        {
            while (!await holds(end.Token).ConfigureAwait(false))
                await Task.Delay(s_lookInterval, end.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException exception) when (end.IsCancellationRequested)
        {
            throw new TimeoutException(complaint(), exception);
        }
    }

    private TestSilo[] Busy() => [.. Silos.Where(silo => silo.State == TestSiloState.Running && HasTransactions(silo))];

    private static bool HasTransactions(TestSilo silo)
    {
        try
        {
            return silo.Engine.HasTransactions;
        }
        catch (ObjectDisposedException)
        {
            // It has just ended, and its transactions with it.
            return false;
        }
    }

    private bool IsServed()
    {
        try
        {
            var all = Silos.Where(silo => silo.State == TestSiloState.Running).Select(silo => silo.Engine.Readiness)
                .ToArray();
            return all.Length > 0 && all.All(silo => silo.IsReady) && all.Sum(silo => silo.Owned) == all[0].Partitions;
        }
        catch (ObjectDisposedException)
        {
            // One has just ended.
            return false;
        }
    }

    // The client looks for another gateway only when a call has found the last one gone.
    private async Task<bool> IsAnsweredAsync(CancellationToken cancellationToken)
    {
        try
        {
            await Grains.GetGrain<IManagementGrain>(0).GetHosts(onlyActive: true)
                .WaitAsync(s_answerTimeout, cancellationToken).ConfigureAwait(false);
            return true;
        }
        catch (Exception) when (!cancellationToken.IsCancellationRequested)
        {
            return false;
        }
    }
}
