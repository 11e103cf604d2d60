using System.Diagnostics;
using Polyjuice.Contracts;
using Polyjuice.Orleans.Groups;
using Polyjuice.Orleans.Rows;
using Polyjuice.Orleans.Turns;

namespace Polyjuice.Orleans.Silos;

/// <summary>What the engine asks of the silo that it lives in. On its turn.</summary>
internal sealed class SiloEngineHost(
    EngineIdentity self, EngineTurn turn, EngineLife life, GrainPlaces places, TransactionGroups groups,
    GrainLoads loads, ServedRows rows, RowWakes wakes, EngineMail mail) : IEngineHost
{
    /// <summary>
    /// What goes out may already be answered, so one is not enough; more would keep others from the turn.
    /// </summary>
    private const int FlushesMax = 4;

    private static readonly SendOrPostCallback s_run = static state => ((Action)state!)();

    private readonly long _madeAt = Stopwatch.GetTimestamp();
    private bool _isFlushRequested;

    /// <inheritdoc/>
    public long UtcMicroseconds => turn.TurnTime;

    /// <inheritdoc/>
    public GrainGroups Groups => groups;

    /// <inheritdoc/>
    public ulong NextRandom() => (ulong)Random.Shared.NextInt64(long.MinValue, long.MaxValue);

    /// <inheritdoc/>
    public void Send(NodeId destination, ReadOnlySpan<byte> batch) => mail.Add(destination, batch);

    /// <inheritdoc/>
    public void Schedule(long delayMicroseconds, Action callback) => turn.Schedule(delayMicroseconds, s_run, callback);

    /// <inheritdoc/>
    public void RequestFlush()
    {
        _isFlushRequested = true;
        turn.RequestFlush();
    }

    /// <summary>What the engine has asked for by <see cref="RequestFlush"/>.</summary>
    public void Flush()
    {
        for (var round = 0; _isFlushRequested && round < FlushesMax; round++)
        {
            _isFlushRequested = false;
            life.Engine.Flush();
        }

        if (_isFlushRequested) turn.RequestFlush();
    }

    /// <inheritdoc/>
    public Task RunInBackground(Func<Task> work) => Task.Run(work);

    /// <inheritdoc/>
    public Func<CancellationToken, ValueTask> CreatePace() => new BackgroundPace().PauseAsync;

    /// <inheritdoc/>
    public bool IsGone(NodeId node)
    {
        var view = places.View;
        return view.IsDead(node)
            || (!view.Knows(node) && NodeIds.IsOver(node, self.Node, Stopwatch.GetElapsedTime(_madeAt)));
    }

    /// <inheritdoc/>
    public NodeId OwnerOf(int partition) => places.View.Map.OwnerOf(partition);

    /// <inheritdoc/>
    public NodeId OwnerOfRow(string grain, string state) => OwnerOf(groups.PartitionOf(grain, places.Partitions));

    /// <inheritdoc/>
    public void WakeRow(string grain, string state) => wakes.Wake(grain, state);

    /// <inheritdoc/>
    public void RowLost(string grain, string state) => rows.Lost(grain, state);

    /// <inheritdoc/>
    public ValueTask<bool> LoadGrainAsync(string grain) => loads.LoadAsync(grain);
}
