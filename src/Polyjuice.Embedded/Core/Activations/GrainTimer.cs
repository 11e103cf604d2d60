using Orleans.Runtime;

namespace Polyjuice.Embedded.Core;

/// <summary>A grain's timer. Its ticks pass the activation's gate like requests do. Loop only.</summary>
internal sealed class GrainTimer : IGrainTimer, IGateEntrant
{
    private static readonly SendOrPostCallback s_due = static state => ((Tick)state!).Due();

    private readonly Activation _activation;
    private readonly Func<CancellationToken, Task> _callback;
    private readonly CancellationTokenSource _stop = new();
    private readonly bool _isInterleaving;
    private readonly bool _keepsAlive;
    private TimeSpan _period;
    private int _generation;
    private bool _isTicking;

    public GrainTimer(Activation activation, Func<CancellationToken, Task> callback, GrainTimerCreationOptions options)
    {
        _activation = activation;
        _callback = callback;
        _isInterleaving = options.Interleave;
        _keepsAlive = options.KeepAlive;
        Change(options.DueTime, options.Period);
    }

    /// <inheritdoc/>
    public bool IsInterleaving => _isInterleaving;

    /// <inheritdoc/>
    public bool IsReadOnly => false;

    /// <inheritdoc/>
    public void Change(TimeSpan dueTime, TimeSpan period)
    {
        _generation++;
        _period = period;
        Schedule(dueTime, isRepetition: false);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        if (_stop.IsCancellationRequested) return;
        _generation++;
        _stop.Cancel();
        _activation.TimerEnded(this);
    }

    /// <inheritdoc/>
    public void Entered() => _ = TickAsync();

    private void Schedule(TimeSpan dueTime, bool isRepetition)
    {
        if (dueTime == Timeout.InfiniteTimeSpan || _stop.IsCancellationRequested) return;
        var loop = _activation.Silo.Loop;
        var due = loop.UtcMicroseconds + Durations.Microseconds(dueTime);
        if (isRepetition) loop.ScheduleBackground(due, s_due, new Tick(this, _generation));
        else loop.Schedule(due, s_due, new Tick(this, _generation));
    }

    private async Task TickAsync()
    {
        var generation = _generation;
        if (!_stop.IsCancellationRequested)
        {
            try
            {
                CallContext.Current = new CallContext(_activation.Silo, _activation, null, null);
                await _callback(_stop.Token);
            }
            catch (Exception exception)
            {
                HostLog.TimerFailed(_activation.Silo.Logger, exception, _activation.GrainId);
            }
        }

        _isTicking = false;
        if (_keepsAlive) _activation.Touch();
        if (_activation.State != ActivationState.Gone) _activation.Leave(this);
        if (generation == _generation) Schedule(_period, isRepetition: true);
    }

    private sealed class Tick(GrainTimer timer, int generation)
    {
        public void Due()
        {
            if (generation != timer._generation || timer._isTicking) return;
            timer._isTicking = true;
            timer._activation.Enter(timer, first: false);
        }
    }
}
