using System.Diagnostics;
using Microsoft.Extensions.DependencyInjection;
using Polyjuice.Hosting;

namespace Polyjuice.Orleans.Silos;

// What the engine asks of its host.
internal sealed partial class SiloEngine : IEngineHost
{
    private static readonly SendOrPostCallback s_run = static state => ((Action)state!)();

    private readonly long _madeAt = Stopwatch.GetTimestamp();
    private List<(NodeId Destination, byte[] Batch)> _outgoing = [];
    private bool _isFlushRequested;

    /// <inheritdoc/>
    long IEngineHost.UtcMicroseconds => Turn.TurnTime;

    /// <inheritdoc/>
    ulong IEngineHost.NextRandom() => (ulong)Random.Shared.NextInt64(long.MinValue, long.MaxValue);

    /// <inheritdoc/>
    void IEngineHost.Send(NodeId destination, ReadOnlySpan<byte> batch) => _outgoing.Add((destination, batch.ToArray()));

    /// <inheritdoc/>
    void IEngineHost.Schedule(long delayMicroseconds, Action callback) => Turn.Schedule(delayMicroseconds, s_run, callback);

    /// <inheritdoc/>
    void IEngineHost.RequestFlush()
    {
        _isFlushRequested = true;
        Turn.RequestFlush();
    }

    /// <inheritdoc/>
    Task IEngineHost.RunInBackground(Func<Task> work) => Task.Run(work);

    /// <inheritdoc/>
    ValueTask<bool> IEngineHost.LoadGrainAsync(string grain) => Loads.LoadAsync(grain);

    /// <inheritdoc/>
    Func<CancellationToken, ValueTask> IEngineHost.CreatePace() => new BackgroundPace().PauseAsync;

    /// <inheritdoc/>
    bool IEngineHost.IsGone(NodeId node) =>
        Places.View.IsDead(node) || (!Places.View.Knows(node) && NodeIds.IsOver(node, Node, Stopwatch.GetElapsedTime(_madeAt)));

    /// <inheritdoc/>
    GrainGroups IEngineHost.Groups => _groups;

    /// <inheritdoc/>
    NodeId IEngineHost.OwnerOf(int partition) => Places.View.Map.OwnerOf(partition);

    /// <inheritdoc/>
    NodeId IEngineHost.OwnerOfRow(string grain, string state) =>
        Places.View.Map.OwnerOf(_groups.PartitionOf(grain, Logs.Partitions));

    /// <inheritdoc/>
    void IEngineHost.WakeRow(string grain, string state) => _rowWakes.Wake(grain, state);

    /// <inheritdoc/>
    void IEngineHost.RowLost(string grain, string state) => Rows.Lost(grain, state);

    /// <summary>Takes what another silo's engine has sent. Any thread.</summary>
    public void Receive(NodeId source, byte[] batch)
    {
        if (_life.Running is not { } engine) return;
        try
        {
            using (Turn.Enter()) engine.Receive(source, batch);
        }
        catch (CodingException exception)
        {
            HostLog.MessageFailed(_logger, exception, source);
        }
    }

    // A few rounds, because what goes out may already be answered; more would keep others from the turn.
    private void FlushEngine()
    {
        for (var round = 0; _isFlushRequested && round < 4; round++)
        {
            _isFlushRequested = false;
            Engine.Flush();
        }

        if (_isFlushRequested) Turn.RequestFlush();
    }

    // Off the turn: a grain call costs some microseconds that nobody need wait for.
    private void Deliver()
    {
        List<(NodeId Destination, byte[] Batch)> outgoing;
        if (Volatile.Read(ref _outgoing).Count == 0) return;
        using (Turn.Enter())
        {
            outgoing = _outgoing;
            _outgoing = [];
        }

        foreach (var (destination, batch) in outgoing)
        {
            if (destination == Node) Receive(Node, batch);
            else if (Places.View.SiloOf(destination) is { } silo) _silo.Link.Send(silo, Node, batch);
        }
    }
}
