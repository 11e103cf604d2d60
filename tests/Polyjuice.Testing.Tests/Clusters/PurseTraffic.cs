namespace Polyjuice.Testing.Tests.Clusters;

/// <summary>
/// Callers that pay each other from a few purses, until they are told to end. Each payment also puts a coin into the
/// payer's own tally purse, which nobody takes from: it holds at least what was acknowledged.
/// </summary>
internal sealed class PurseTraffic : IAsyncDisposable
{
    private const int Tallies = 1_000;

    private readonly PolyjuiceTestCluster _cluster;
    private readonly int _purses;
    private readonly CancellationTokenSource _end = new();
    private readonly Task[] _callers;
    private readonly int[] _acknowledged;
    private readonly int[] _asked;
    private readonly Queue<(int Count, TaskCompletionSource Done)> _waiting = new();
    private int _all;

    public PurseTraffic(PolyjuiceTestCluster cluster, int callers = 4, int purses = 8, int seed = 1)
    {
        _cluster = cluster;
        _purses = purses;
        _acknowledged = new int[callers];
        _asked = new int[callers];
        _callers =
        [
            .. Enumerable.Range(0, callers)
            .Select(caller => Task.Run(() => CallAsync(caller, new Random(seed + caller))))
        ];
    }

    /// <summary>Payments that were acknowledged.</summary>
    public int Acknowledged => Volatile.Read(ref _all);

    /// <summary>Completes when so many more payments have been acknowledged.</summary>
    public Task WhenAcknowledged(int more)
    {
        var done = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        lock (_waiting) _waiting.Enqueue((Acknowledged + more, done));
        return done.Task.WaitAsync(TimeSpan.FromMinutes(2));
    }

    /// <summary>
    /// Ends the callers, and checks that no money was lost or made, and that nothing acknowledged is lost.
    /// </summary>
    public async Task EndAsync()
    {
        await _end.CancelAsync();
        await Task.WhenAll(_callers);
        var sum = 0L;
        for (var purse = 0; purse < _purses; purse++) sum += await _cluster.Grains.GetGrain<IPurse>(purse).Count();
        Assert.Equal(0, sum);
        for (var caller = 0; caller < _callers.Length; caller++)
            Assert.InRange(
                await _cluster.Grains.GetGrain<IPurse>(Tallies + caller).Count(),
                _acknowledged[caller],
                _asked[caller]);
    }

    public async ValueTask DisposeAsync()
    {
        await _end.CancelAsync();
        await Task.WhenAll(_callers);
        _end.Dispose();
    }

    private async Task CallAsync(int caller, Random random)
    {
        while (!_end.IsCancellationRequested)
        {
            var from = random.Next(_purses);
            var to = (from + 1 + random.Next(_purses - 1)) % _purses;
            _asked[caller]++;
            try
            {
                await _cluster.Grains.GetGrain<IPurse>(from).Pay(to, 1, Tallies + caller);
                _acknowledged[caller]++;
                Acknowledge(Interlocked.Increment(ref _all));
            }
            catch (Exception)
            {
                // Aborted, in doubt, or not answered: all of that may be, and the checks at the end allow for it.
            }
        }
    }

    private void Acknowledge(int count)
    {
        // Nobody may take out another one than was looked at.
        lock (_waiting)
        {
            while (_waiting.TryPeek(out var waiting) && waiting.Count <= count) _waiting.Dequeue().Done.TrySetResult();
        }
    }
}
