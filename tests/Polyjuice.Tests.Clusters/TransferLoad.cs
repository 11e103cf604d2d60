using Polyjuice.Testing;

namespace Polyjuice.Tests.Clusters;

/// <summary>
/// Clients that send coins from shared purses to books of their own, and remember what they were told.
/// </summary>
public sealed class TransferLoad
{
    public const int Clients = 8;
    private const long Coins = 1_000;
    private readonly Lock _gate = new();
    private readonly List<(int Count, TaskCompletionSource Reached)> _waiting = [];
    private readonly long[] _known = new long[Clients];
    private readonly long[] _inDoubt = new long[Clients];
    private int _total;
    private volatile bool _isEnding;

    /// <summary>Fills the purses.</summary>
    public static async Task FillAsync(PolyjuiceTestCluster cluster)
    {
        for (var i = 0; i < Clients; i++) await cluster.Grains.GetGrain<IAccount>($"purse{i}").Add(Coins);
    }

    /// <summary>
    /// Lets the clients go. They end at the first failure after <see cref="End"/>, or when they have been told so many
    /// more.
    /// </summary>
    public Task RunAsync(PolyjuiceTestCluster cluster) =>
        Task.WhenAll(Enumerable.Range(0, Clients).Select(client => RunAsync(cluster, client)));

    /// <summary>Until so many transfers were acknowledged.</summary>
    public Task Acknowledged(int count)
    {
        var reached = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        lock (_gate)
        {
            if (_total >= count) return Task.CompletedTask;
            _waiting.Add((count, reached));
        }

        return reached.Task;
    }

    /// <summary>How many were acknowledged.</summary>
    public int Total
    {
        get
        {
            lock (_gate) return _total;
        }
    }

    /// <summary>Has the clients end after the transfer that they are at.</summary>
    public void End() => _isEnding = true;

    /// <summary>All money is there, and every acknowledged transfer; nothing else but what was in doubt.</summary>
    public async Task CheckAsync(PolyjuiceTestCluster cluster)
    {
        long all = 0;
        for (var client = 0; client < Clients; client++)
        {
            all += await cluster.Grains.GetGrain<IAccount>($"purse{client}").Get();
            var received = await cluster.Grains.GetGrain<IAccount>($"book{client}").Get();
            Assert.InRange(received, _known[client], _known[client] + _inDoubt[client]);
            all += received;
        }

        Assert.Equal(Clients * Coins, all);
    }

    private async Task RunAsync(PolyjuiceTestCluster cluster, int client)
    {
        for (var i = 0; !_isEnding; i++)
        {
            try
            {
                await cluster.Grains.GetGrain<IAccount>($"purse{(client + i) % Clients}").Send($"book{client}", 1);
                _known[client]++;
                Count();
            }
            catch (Exception)
            {
                // Whatever it says: it may have happened, or not, and never half.
                _inDoubt[client]++;
            }
        }
    }

    private void Count()
    {
        lock (_gate)
        {
            _total++;
            foreach (var (_, reached) in _waiting.Where(waiting => _total >= waiting.Count)) reached.TrySetResult();
        }
    }
}
