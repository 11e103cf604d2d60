using System.Collections.Concurrent;
using Polyjuice.Orleans.Tests.Clusters;
using Polyjuice.Orleans.Tests.Grains;
using Polyjuice.Tests.Storages;

namespace Polyjuice.Orleans.Tests.Rows;

/// <summary>
/// A transaction over many grains that are not active: their rows are loaded and prepared together, and nothing else
/// comes before the answer.
/// </summary>
public sealed class ColdRowTests
{
    private const int Accounts = 100;
    private readonly StoredRows _rows = new();

    [Theory]
    [InlineData(StorageKind.Grain)]
    [InlineData(StorageKind.State)]
    public async Task All_rows_are_loaded_before_any_load_is_answered_and_then_prepared_with_fences(StorageKind kind)
    {
        await using var cluster = await PolyjuiceCluster.StartAsync(1, Storage.Of(kind, _rows));
        var root = OrleansRowTests.Account(cluster, 0);
        await root.GetBalance();
        long[] accounts = [.. Enumerable.Range(1, Accounts).Select(key => (long)key)];

        // The manager's own prepare goes with its commit record, when it has all votes.
        var loads = new Gate(StorageMoment.BeforeRead, Accounts);
        var prepares = new Gate(StorageMoment.BeforeWrite, Accounts - 1);
        var all = new Gates(loads, prepares);
        _rows.At = all.At;
        var deposit = root.DepositToAll(accounts, 3);

        await loads.AllAreThere;
        Assert.Equal(0, prepares.Count);
        loads.Open();
        await prepares.AllAreThere;
        Assert.False(deposit.IsCompleted);
        prepares.Open();
        await deposit;
        foreach (var key in accounts) Assert.Equal(3, await OrleansRowTests.Account(cluster, key).GetBalance());
    }

    /// <summary>Holds the calls of a kind, one of each row, until it is opened.</summary>
    private sealed class Gate(StorageMoment moment, int calls)
    {
        private readonly TaskCompletionSource _allAreThere = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private readonly TaskCompletionSource _open = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private readonly ConcurrentDictionary<string, bool> _rows = new(StringComparer.Ordinal);

        public StorageMoment Moment => moment;

        public int Count => _rows.Count;

        /// <summary>Completes when so many calls are held; those that come one after the other never are.</summary>
        public Task AllAreThere => _allAreThere.Task.WaitAsync(TimeSpan.FromMinutes(2));

        public bool IsOpen => _open.Task.IsCompleted;

        public void Open() => _open.TrySetResult();

        public async ValueTask HoldAsync(string row)
        {
            if (_rows.TryAdd(row, true) && _rows.Count == calls) _allAreThere.TrySetResult();
            await _open.Task;
        }
    }

    /// <summary>Each call meets the first gate of its kind that is not open.</summary>
    private sealed class Gates(params Gate[] gates)
    {
        public async ValueTask At(StorageMoment moment, string row)
        {
            if (gates.FirstOrDefault(gate => gate.Moment == moment && !gate.IsOpen) is { } next)
                await next.HoldAsync(row);
        }
    }
}
