using Orleans;
using Orleans.Transactions;
using Polyjuice.Lab.Workloads.ListAppend;
using Polyjuice.Isolation;

namespace Polyjuice.Orleans.Tests.Isolation;

/// <summary>Clients of a few lists, and what they asked for and were told.</summary>
internal sealed class RecordedLists(IGrainFactory grains, int lists)
{
    private readonly Lock _gate = new();
    private readonly HistoryBuilder _history = new();
    private long _lastElement;
    private int _lastProcess;

    private int _committed;
    private (int Goal, TaskCompletionSource Reached)? _awaited;

    /// <summary>
    /// Runs six clients on six lists for as long as something takes its course, and judges the history.
    /// </summary>
    public static async Task<IsolationReport> JudgeAsync(
        IGrainFactory grains, Func<RecordedLists, Task> course, Action? beforeCheck = null)
    {
        var lists = new RecordedLists(grains, 6);
        using var stop = new CancellationTokenSource();
        var clients = Enumerable.Range(1, 6).Select(seed => lists.RunAsync(seed, stop.Token)).ToArray();
        try
        {
            await course(lists);
        }
        finally
        {
            stop.Cancel();
            await Task.WhenAll(clients);
        }

        beforeCheck?.Invoke();
        return await lists.CheckAsync();
    }

    /// <summary>Completes when so many more transactions have committed.</summary>
    public Task CommitMoreAsync(int transactions)
    {
        lock (_gate)
        {
            var reached = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            _awaited = (_committed + transactions, reached);
            return reached.Task.WaitAsync(TimeSpan.FromMinutes(2));
        }
    }

    /// <summary>Runs transactions until told to stop; failures are part of the history.</summary>
    public async Task RunAsync(int seed, CancellationToken stop)
    {
        var random = new Random(seed);
        var process = Interlocked.Increment(ref _lastProcess);
        while (!stop.IsCancellationRequested)
        {
            var inParallel = random.Next(3) == 0;
            var steps = Steps(random);
            Note(history => history.Invoke(process, Now, [.. Ops(steps, null)]));
            try
            {
                var seen = await grains.GetGrain<IListGrain>(steps[0].List)
                    .Run(steps, inParallel, declines: random.Next(20) == 0);
                Note(history =>
                {
                    history.Ok(process, Now, [.. Ops(steps, seen)]);
                    if (++_committed >= _awaited?.Goal) _awaited.Value.Reached.TrySetResult();
                });
            }
            catch (OrleansTransactionAbortedException)
            {
                Note(history => history.Fail(process, Now));
            }
            catch (Exception)
            {
                // Nobody knows: the transaction may still be going on, so this client goes on as another one.
                var unknown = process;
                process = Interlocked.Increment(ref _lastProcess);
                Note(history => history.Info(unknown, Now));
            }
        }
    }

    /// <summary>Reads every list, and judges the history.</summary>
    public async Task<IsolationReport> CheckAsync()
    {
        var orders = new Dictionary<HistoryKey, IReadOnlyList<long>>();
        for (var list = 0L; list < lists; list++)
        {
            var process = Interlocked.Increment(ref _lastProcess);
            Note(history => history.Invoke(process, Now, [MicroOp.Read(list)]));
            var elements = await ReadAsync(list);
            Note(history => history.Ok(process, Now, [MicroOp.ReadList(list, elements)]));
            orders[list] = elements;
        }

        return IsolationChecker.Check(_history.Build(), new CheckOptions { VersionOrders = orders });
    }

    private static long Now =>
        TimeProvider.System.GetTimestamp() * 1_000_000_000 / TimeProvider.System.TimestampFrequency;

    private async Task<long[]> ReadAsync(long list)
    {
        using var patience = new CancellationTokenSource(TimeSpan.FromMinutes(2));
        while (true)
        {
            try
            {
                return await grains.GetGrain<IListGrain>(list).Read();
            }
            catch (Exception exception)
                when (!patience.IsCancellationRequested
                    && exception is OrleansTransactionException or global::Orleans.Runtime.SiloUnavailableException
                        or TimeoutException)
            {
                // The cluster is still finding out who is dead.
                await Task.Delay(20, CancellationToken.None);
            }
        }
    }

    private void Note(Action<HistoryBuilder> note)
    {
        lock (_gate) note(_history);
    }

    private ListStep[] Steps(Random random)
    {
        var keys = Enumerable.Range(0, lists).ToArray();
        random.Shuffle(keys);
        return [
            .. keys.Take(1 + random.Next(4))
            .Select(
                key => new ListStep
                {
                    List = key, Element = random.Next(2) == 0 ? 0 : Interlocked.Increment(ref _lastElement)
                })
        ];
    }

    // An append saw what it changed, so it is a read too.
    private static IEnumerable<MicroOp> Ops(ListStep[] steps, long[][]? seen)
    {
        for (var i = 0; i < steps.Length; i++)
        {
            yield return seen is null ? MicroOp.Read(steps[i].List) : MicroOp.ReadList(steps[i].List, seen[i]);
            if (steps[i].Element != 0) yield return MicroOp.Append(steps[i].List, steps[i].Element);
        }
    }
}
