using System.Collections.Concurrent;
using Polyjuice.Storage;

namespace Polyjuice.Tests.Shared;

/// <summary>
/// A server that is killed in the middle of appends, with all that it had in memory, and started again, as tests: a
/// store inherits them. What was answered is there, and the rest is found out by repetition.
/// </summary>
public abstract class LogServerKillContract
{
    protected const int Partitions = 4;
    private const int Kills = 3;
    private const int AppendsBetweenKills = 200;

    /// <summary>
    /// Opens the place of this test, of <see cref="Partitions"/>, in a server of its own, without a lock.
    /// </summary>
    private protected abstract Task<SegmentedLogStore> OpenAsync();

    /// <summary>Kills the server.</summary>
    protected abstract Task KillAsync();

    /// <summary>Starts it again.</summary>
    protected abstract Task StartAgainAsync();

    [ConditionalFact]
    public async Task Whatever_was_answered_is_there_after_the_server_was_killed()
    {
        await using var store = await OpenAsync();
        var answered = new ConcurrentDictionary<(int Partition, long Position), byte[]>();
        var progress = new Progress();
        using var ending = new CancellationTokenSource();
        var writers = Enumerable.Range(0, Partitions).Select(
            partition => Task.Run(
            () => WriteAsync(store.Open(partition), partition, answered, progress, ending.Token))).ToList();
        for (var kill = 1; kill <= Kills; kill++)
        {
            await progress.Reached(kill * AppendsBetweenKills);
            await KillAsync();

            // What was answered until now must be there whatever comes later; and the server is not there yet.
            var known = answered.ToArray();
            await StartAgainAsync();
            await using var another = await OpenAsync();
            foreach (var log in known.GroupBy(batch => batch.Key.Partition))
            {
                var end = log.Max(batch => batch.Key.Position) + 1;
                var read = await another.Open(log.Key).Read(0, end);
                foreach (var batch in log) Assert.Equal(batch.Value, read[(int)batch.Key.Position]);
            }
        }

        await progress.Reached((Kills + 1) * AppendsBetweenKills);
        await ending.CancelAsync();
        await Task.WhenAll(writers);
        Assert.True(progress.Failures > 0, "No append was under way when the server was killed.");
        foreach (var log in answered.GroupBy(batch => batch.Key.Partition))
        {
            // Nothing is there twice, nothing is missing, and nobody else's is there.
            var end = log.Max(batch => batch.Key.Position) + 1;
            Assert.Equal(end, await store.Open(log.Key).End());
            Assert.Equal(
                Enumerable.Range(0, (int)end).Select(position => (long)position),
                log.Select(batch => batch.Key.Position).Order());
        }
    }

    private static async Task WriteAsync(
        IPartitionLog log, int partition, ConcurrentDictionary<(int, long), byte[]> answered, Progress progress,
        CancellationToken ending)
    {
        for (var position = 0L; !ending.IsCancellationRequested; position++)
        {
            var batch = LogCalls.Batch(position + partition, 200 + (int)(position % 5 * 1_000));
            while (true)
            {
                try
                {
                    // L3: the same batch at the same position until there is an answer. Nobody else appends, so it is
                    // this one.
                    Assert.Equal(
                        AppendResult.Appended, await log.Append(position, (partition * 1_000_000L) + position, batch));
                    break;
                }
                catch (IOException)
                {
                    progress.Fail();

                    // A client that does not wait for a server that is away would leave it no processor to come back.
                    await Task.Yield();
                }
            }

            answered[(partition, position)] = batch;
            progress.Count();
        }
    }

    private sealed class Progress
    {
        private readonly Lock _gate = new();
        private readonly List<(int Count, TaskCompletionSource Reached)> _waiting = [];
        private int _count;

        public int Failures { get; private set; }

        public Task Reached(int count)
        {
            var reached = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            lock (_gate)
            {
                if (_count >= count) return Task.CompletedTask;
                _waiting.Add((count, reached));
            }

            return reached.Task;
        }

        public void Fail()
        {
            lock (_gate) Failures++;
        }

        public void Count()
        {
            lock (_gate)
            {
                _count++;
                foreach (var (_, reached) in _waiting.Where(waiting => _count >= waiting.Count)) reached.TrySetResult();
            }
        }
    }
}
