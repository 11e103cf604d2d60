using System.Collections.Concurrent;
using Orleans;
using Orleans.Transactions;
using Polyjuice.Orleans.Tests.Grains;

namespace Polyjuice.Orleans.Tests.Clusters;

/// <summary>
/// Clients of accounts: transfers that stateless workers start,
/// and deposits that accounts start themselves. Thread-safe.
/// </summary>
internal sealed class TransferLoad(IGrainFactory grains, int accounts)
{
    private readonly CancellationTokenSource _stop = new();
    private readonly Lock _gate = new();
    private int _committed;
    private (int Goal, TaskCompletionSource Reached)? _awaited;
    private int _deposited;
    private int _unanswered;

    /// <summary>
    /// Calls whose answer never came, or whose message was sent twice because the connection broke: nobody knows
    /// whether they committed.
    /// </summary>
    public int Unanswered => Volatile.Read(ref _unanswered);

    /// <summary>What clients were told instead of success.</summary>
    public ConcurrentQueue<Exception> Failures { get; } = new();

    /// <summary>What was put into the accounts, and nobody took out of others.</summary>
    public int Deposited => Volatile.Read(ref _deposited);

    public Task[] Start(int clients) =>
        [.. Enumerable.Range(0, clients).Select(client => Task.Run(() => RunAsync(client)))];

    /// <summary>Completes when so many more have committed.</summary>
    public Task CommitMoreAsync(int transactions)
    {
        lock (_gate)
        {
            var reached = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            _awaited = (_committed + transactions, reached);
            return reached.Task.WaitAsync(TimeSpan.FromMinutes(2));
        }
    }

    public async Task StopAsync(Task[] clients)
    {
        await _stop.CancelAsync();
        await Task.WhenAll(clients);
    }

    // Sent twice, and the silo that has the second copy can't know whether the first one ran on the silo that has left.
    private static bool IsOfBrokenConnection(Exception exception) =>
        exception is OrleansTransactionInDoubtException
        && exception.Message.Contains("because a connection broke while it was sent", StringComparison.Ordinal);

    private async Task RunAsync(int client)
    {
        var random = new Random(client);
        while (!_stop.IsCancellationRequested)
        {
            var from = random.Next(accounts);
            try
            {
                if (client % 2 == 0)
                {
                    await grains.GetGrain<ITeller>(client)
                        .Transfer(from, (from + 1 + random.Next(accounts - 1)) % accounts, 1);
                }
                else
                {
                    await grains.GetGrain<IAccount>(from).Deposit(1);
                    Interlocked.Increment(ref _deposited);
                }
            }
            catch (Exception exception) when (exception is TimeoutException || IsOfBrokenConnection(exception))
            {
                Interlocked.Increment(ref _unanswered);
                continue;
            }
            catch (Exception exception)
            {
                Failures.Enqueue(exception);
                continue;
            }

            lock (_gate)
            {
                if (++_committed >= _awaited?.Goal) _awaited.Value.Reached.TrySetResult();
            }
        }
    }
}
