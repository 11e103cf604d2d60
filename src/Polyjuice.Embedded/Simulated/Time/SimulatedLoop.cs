using Polyjuice.Embedded.Core;
using Polyjuice.Hosting;
using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Network;

namespace Polyjuice.Embedded.Simulated;

/// <summary>
/// A node's loop in virtual time: each work item is an event of the simulation's queue, so that anything may come between two of
/// them, a crash too.
/// </summary>
internal sealed class SimulatedLoop : NodeLoop, ISimulatedProcess, INetworkEndpoint
{
    private static readonly SendOrPostCallback s_run = static state => ((Action)state!)();

    private readonly SimulatedWorld _world;
    private readonly Node _node;
    private long _busyUntil;
    private long _slowUntil;
    private long _perSlowTurn;
    private int _messagesLeft = int.MaxValue;
    private bool _isPumpQueued;
    private bool _isFlushQueued;

    public SimulatedLoop(SimulatedWorld world, Node node, Action flush, long clockOffset) : base(flush, node.Logger)
    {
        _world = world;
        _node = node;
        ClockOffset = clockOffset;
        Now = UtcMicroseconds;
    }

    /// <inheritdoc/>
    public NodeId Id => _node.Id;

    /// <inheritdoc/>
    public bool IsAlive => !IsStopped;

    /// <summary>How far its clock is off, in microseconds.</summary>
    public long ClockOffset { get; set; }

    /// <summary>Stands still for a while, or takes so much longer for each turn meanwhile.</summary>
    public void BeSlow(long lasts, long perTurn)
    {
        if (perTurn == 0) _busyUntil = Math.Max(_busyUntil, _world.Events.Now + lasts);
        else (_slowUntil, _perSlowTurn) = (_world.Events.Now + lasts, perTurn);
    }

    /// <summary>Ends that.</summary>
    public void BeUsual() => _slowUntil = 0;

    /// <summary>Whether one more message of this flush goes out; the node dies where it does not.</summary>
    public bool MaySend() => _messagesLeft-- > 0;

    /// <summary>Whether anything is ready to run.</summary>
    public bool HasWork => Begun.Count + New.Count > 0;

    /// <summary>Events of the engine's housekeeping that are queued for it.</summary>
    public int Housekeeping { get; private set; }

    /// <inheritdoc/>
    public override bool CountsWaits => true;

    /// <inheritdoc/>
    public override long UtcMicroseconds => SimulatedWorld.Epoch + _world.Events.Now + ClockOffset;

    /// <inheritdoc/>
    public override void Start()
    {
    }

    /// <inheritdoc/>
    public override void Stop()
    {
        base.Stop();
        if (!IsCurrent) End();
    }

    /// <inheritdoc/>
    public override void Schedule(long due, SendOrPostCallback callback, object? state) => Queue(due, new(callback, state), isBackground: false);

    /// <inheritdoc/>
    public override void ScheduleBackground(long due, SendOrPostCallback callback, object? state) => Queue(due, new(callback, state), isBackground: true);

    /// <inheritdoc/>
    public override void ScheduleHousekeeping(long due, SendOrPostCallback callback, object? state)
    {
        Housekeeping++;
        _world.Housekeeping++;
        _world.Events.Queue(DelayUntil(due), EventKind.Timer, Id.Value, () =>
        {
            Housekeeping--;
            _world.Housekeeping--;
            Arrive(new(callback, state));
        });
    }

    /// <inheritdoc/>
    public void Queue(long delay, EventKind kind, Action run) =>
        _world.Events.Queue(delay, kind, Id.Value, () => Arrive(new(s_run, run)));

    /// <inheritdoc/>
    public void Deliver(NetworkMessage message) => Arrive(new(s_run, () =>
    {
        var parcel = (Parcel)message.Content!;
        _node.Deliver(message.From, parcel.Bytes, isRepetition: parcel.Deliveries++ > 0);
    }));

    /// <inheritdoc/>
    protected override bool PostFromElsewhere(Work work)
    {
        if (!_world.Guard.IsHome)
        {
            _world.Guard.Escaped("Something on another thread than the simulation's wants back to its turn: code");
            return false;
        }

        if (IsStopped) return false;
        Begun.Enqueue(work);
        QueuePump();
        return true;
    }

    private void Queue(long due, Work work, bool isBackground) =>
        _world.Events.Queue(DelayUntil(due), EventKind.Timer, Id.Value, () => Arrive(work), isBackground);

    private long DelayUntil(long due) => Math.Max(0, due - UtcMicroseconds);

    // An event of the simulation that belongs to this node: it happens now, unless the node is still busy.
    private void Arrive(Work work)
    {
        if (IsStopped) return;
        Begun.Enqueue(work);
        if (_isPumpQueued) return;
        if (_busyUntil > _world.Events.Now) QueuePump();
        else Pump();
    }

    private void QueuePump()
    {
        if (_isPumpQueued) return;
        _isPumpQueued = true;
        _world.Events.Queue(Math.Max(0, _busyUntil - _world.Events.Now), EventKind.Turn, Id.Value, () =>
        {
            _isPumpQueued = false;
            Pump();
        });
    }

    private void Pump()
    {
        if (IsStopped || !HasWork) return;
        Now = UtcMicroseconds;
        Enter();
        Execute(Begun.Count > 0 ? Begun.Dequeue() : New.Dequeue());
        Exit();
        if (IsStopped)
        {
            End();
            return;
        }

        _busyUntil = _world.Events.Now + _world.Options.TurnMicroseconds + (_slowUntil > _world.Events.Now ? _perSlowTurn : 0);
        if (HasWork) QueuePump();
        QueueFlush();
    }

    private void QueueFlush()
    {
        if (_isFlushQueued) return;
        _isFlushQueued = true;
        _world.Events.Queue(0, EventKind.Flush, Id.Value, () =>
        {
            _isFlushQueued = false;
            if (IsStopped) return;
            Now = UtcMicroseconds;
            _messagesLeft = _world.BeforeFlush?.Invoke(_node) ?? int.MaxValue;
            Enter();
            ExecuteFlush();
            Exit();
            _messagesLeft = int.MaxValue;
            if (IsStopped) End();
            else if (HasWork) QueuePump();
        });
    }
}
