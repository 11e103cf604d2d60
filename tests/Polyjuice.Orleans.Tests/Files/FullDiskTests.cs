using System.Collections.Concurrent;
using Orleans.Transactions;
using Polyjuice.Orleans.Tests.GrainCode;
using Polyjuice.Testing;
using Polyjuice.Tests.Shared;

namespace Polyjuice.Orleans.Tests.Files;

/// <summary>
/// A disk that gets full under load: commits end in bounded time and say
/// why, nothing that was acknowledged is lost, and it goes on by itself.
/// </summary>
[RequiresMount]
public sealed class FullDiskTests : IDisposable
{
    private const int Accounts = 8;
    private readonly SmallDisk _disk = new(4_096);

    public void Dispose() => _disk.Dispose();

    [ConditionalFact]
    public async Task Commits_end_with_the_reason_while_the_disk_is_full_and_go_on_when_there_is_room()
    {
        var acknowledged = new int[Accounts];
        var inDoubt = new int[Accounts];
        await using (var cluster = await Start())
        {
            using var stop = new CancellationTokenSource();
            var unresolved = Promise<OrleansTransactionException>();
            var (begun, goesOn) = (Promise<bool>(), Promise<bool>());
            var refusals = new Refusals();
            var hasRoom = false;
            var load = Enumerable.Range(0, Accounts).Select(account => Task.Run(async () =>
            {
                while (!stop.IsCancellationRequested)
                {
                    try
                    {
                        await cluster.Grains.GetGrain<IWallet>($"full{account}").Add(1);
                        Interlocked.Increment(ref acknowledged[account]);
                        begun.TrySetResult(true);
                        if (Volatile.Read(ref hasRoom)) Volatile.Read(ref goesOn).TrySetResult(true);
                    }
                    catch (OrleansTransactionInDoubtException exception)
                    {
                        Interlocked.Increment(ref inDoubt[account]);
                        if (SaysWhy(exception)) unresolved.TrySetResult(exception);
                    }
                    catch (LogUnavailableException exception)
                    {
                        Volatile.Read(ref refusals).Add(account, exception);
                    }
                    catch (OrleansTransactionException)
                    {
                        // On a machine that stalls, its time was up before anybody could say why.
                    }
                }
            })).ToArray();
            await begun.Task.WaitAsync(TimeSpan.FromMinutes(2));

            // Those that are in the log's hands when it stops can't be decided; later ones are refused, and none of
            // either waits for ever: in the end each client is refused. Whether there are any of the former is up to
            // the machine, so the disk gets full until there were.
            for (var times = 1; !unresolved.Task.IsCompleted; times++)
            {
                Assert.True(
                    times <= 20,
                    "Nobody whose record could not be written was told that its transaction is in doubt, and why.");
                Volatile.Write(ref refusals, new Refusals());
                goesOn = Promise<bool>();
                Volatile.Write(ref hasRoom, false);
                _disk.Fill();
                foreach (var refusal in await refusals.OfAll.WaitAsync(TimeSpan.FromMinutes(2)))
                    Check(refusal, "LogUnavailable", "log partition 0", "make room");
                Volatile.Write(ref hasRoom, true);
                _disk.MakeRoom();
                await goesOn.Task.WaitAsync(TimeSpan.FromMinutes(2));
            }

            Check(await unresolved.Task, "in doubt");
            await stop.CancelAsync();
            await Task.WhenAll(load).WaitAsync(TimeSpan.FromMinutes(2));
            await Audit(cluster);
        }

        await using var again = await Start();
        await Audit(again);

        async Task Audit(PolyjuiceTestCluster cluster)
        {
            for (var account = 0; account < Accounts; account++)
            {
                var balance = await cluster.Grains.GetGrain<IWallet>($"full{account}").Get();
                Assert.InRange(balance, 100 + acknowledged[account], 100 + acknowledged[account] + inDoubt[account]);
            }
        }
    }

    // On a machine that stalls, others have ended before or after it for the time that they took.
    private static bool SaysWhy(Exception exception) => exception.Message.Contains("is full", StringComparison.Ordinal);

    private static TaskCompletionSource<T> Promise<T>() => new(TaskCreationOptions.RunContinuationsAsynchronously);

    private static void Check(Exception exception, params string[] parts) =>
        Assert.All(parts, part => Assert.Contains(part, exception.Message, StringComparison.Ordinal));

    /// <summary>Completes when each client was refused.</summary>
    private sealed class Refusals
    {
        private readonly ConcurrentDictionary<int, Exception> _ofClients = new();
        private readonly TaskCompletionSource<IReadOnlyCollection<Exception>> _ofAll = new(
            TaskCreationOptions.RunContinuationsAsynchronously);

        public Task<IReadOnlyCollection<Exception>> OfAll => _ofAll.Task;

        public void Add(int client, Exception refusal)
        {
            if (_ofClients.TryAdd(client, refusal) && _ofClients.Count == Accounts)
                _ofAll.TrySetResult([.. _ofClients.Values]);
        }
    }

    private Task<PolyjuiceTestCluster> Start() => PolyjuiceTestCluster.StartAsync(options =>
    {
        options.Silos = 1;
        options.DataFolder = Path.Combine(_disk.Path, "data");
        options.ConfigureEngine = engine =>
        {
            engine.TransactionTimeoutMicroseconds = 5_000_000;
            engine.PrepareTimeoutMicroseconds = 500_000;
            engine.InDoubtTimeoutMicroseconds = 500_000;
            engine.ResendMicroseconds = 50_000;
        };
    });
}
