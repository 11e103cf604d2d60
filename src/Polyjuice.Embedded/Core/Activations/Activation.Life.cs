using Microsoft.Extensions.DependencyInjection;
using Orleans;
using Orleans.Runtime;
using Polyjuice.Execution;

namespace Polyjuice.Embedded.Core;

internal sealed partial class Activation
{
    private readonly List<GrainTimer> _timers = [];
    private readonly List<GrainRow> _rows = [];
    private DeactivationReason _reason;
    private List<TaskCompletionSource<bool>>? _loads;

    /// <summary>Makes the grain's object and activates it; requests wait until then.</summary>
    private async Task ActivateAsync()
    {
        State = ActivationState.Activating;
        try
        {
            _scope = Silo.Runtime.Services.CreateAsyncScope();
            t_beingCreated = this;
            try
            {
                GrainInstance = Class.Constructor.Create(this);
            }
            finally
            {
                t_beingCreated = null;
            }

            // Its states that are in rows are fenced and recovered before anything of it runs.
            foreach (var row in _rows) await row.AcquireAsync(CancellationToken.None);
            if (GrainInstance is IGrainBase grain)
            {
                CallContext.Current = new CallContext(Silo, this, null, null);
                await grain.OnActivateAsync(CancellationToken.None);
            }
        }
        catch (Exception exception)
        {
            HostLog.ActivationFailed(Silo.Logger, exception, GrainId);
            await RemoveAsync();
            TellLoaded();
            foreach (var entrant in _gate.TakeWaiting())
            {
                if (entrant is Request request) Silo.Refuse(request, exception);
                else entrant.Entered();
            }

            return;
        }

        CallContext.Current = null;
        if (State != ActivationState.Activating)
        {
            TellLoaded();
            await FinishDeactivationAsync();
            return;
        }

        State = ActivationState.Active;
        TellLoaded();
        Pump();
    }

    private void TellLoaded()
    {
        foreach (var load in _loads ?? []) load.SetResult(State == ActivationState.Active);
        _loads = null;
    }

    /// <inheritdoc/>
    public void Deactivate(DeactivationReason deactivationReason, CancellationToken cancellationToken = default)
    {
        if (State is ActivationState.Deactivating or ActivationState.Gone) return;
        var wasActive = State is ActivationState.New or ActivationState.Active;
        State = ActivationState.Deactivating;
        _reason = deactivationReason;
        if (wasActive && _gate.Running == 0) _ = FinishDeactivationAsync();
    }

    /// <summary>Keeps the activation from being collected as idle.</summary>
    public void DelayDeactivation(TimeSpan time) =>
        _keepUntil = time <= TimeSpan.Zero && time != Timeout.InfiniteTimeSpan ? 0 : Silo.Loop.UtcMicroseconds + Durations.Microseconds(time);

    /// <summary>A dry run has come to it, or loaded it: it stays until the transaction that this was for has ended, or its time is up.</summary>
    private void Pin(CallFrame? frame)
    {
        if (frame is { IsReconnaissance: true }) _pinnedUntil = Silo.Loop.UtcMicroseconds + Silo.Runtime.EngineOptions.TransactionTimeoutMicroseconds;
    }

    /// <summary>Whether the activation has been idle since before a time, and nothing keeps it.</summary>
    public bool IsCollectable(long idleSince, long now) =>
        State == ActivationState.Active && IsIdle && LastUsed < idleSince && _keepUntil < now && _pinnedUntil < now && _rows.TrueForAll(static row => row.IsAtRest);

    /// <summary>Completes when the activation is gone.</summary>
    public Task Gone => _gone.Task;

    private readonly TaskCompletionSource _gone = new();

    /// <summary>A state that is kept in a row; while the grain's object is made.</summary>
    internal void AddRow(GrainRow row) => _rows.Add(row);

    internal IGrainTimer StartTimer(Func<CancellationToken, Task> callback, GrainTimerCreationOptions options)
    {
        var timer = new GrainTimer(this, callback, options);
        _timers.Add(timer);
        return timer;
    }

    /// <summary>Whether timers may wake its code.</summary>
    internal bool HasTimers => _timers.Count > 0;

    internal void TimerEnded(GrainTimer timer) => _timers.Remove(timer);

    internal void Touch() => LastUsed = Silo.Loop.Now;

    private async Task FinishDeactivationAsync()
    {
        foreach (var timer in _timers.ToArray()) timer.Dispose();
        if (GrainInstance is IGrainBase grain)
        {
            try
            {
                CallContext.Current = new CallContext(Silo, this, null, null);
                await grain.OnDeactivateAsync(_reason, CancellationToken.None);
            }
            catch (Exception exception)
            {
                HostLog.DeactivationFailed(Silo.Logger, exception, GrainId);
            }

            CallContext.Current = null;
        }

        await RemoveAsync();
        // What came meanwhile goes to the grain's next activation, wherever that is.
        foreach (var entrant in _gate.TakeWaiting())
        {
            if (entrant is Request request) Silo.Redispatch(request);
            else entrant.Entered();
        }
    }

    private async Task RemoveAsync()
    {
        State = ActivationState.Gone;
        foreach (var row in _rows) row.Release();
        foreach (var state in Class.Constructor.States) Silo.Engine.GrainGone(new(GrainId.ToString(), state.Name, Class.Name));
        Silo.Remove(this);
        try
        {
            if (GrainInstance is IAsyncDisposable asyncDisposable) await asyncDisposable.DisposeAsync();
            else (GrainInstance as IDisposable)?.Dispose();
            await _scope.DisposeAsync();
        }
        catch (Exception exception)
        {
            HostLog.DeactivationFailed(Silo.Logger, exception, GrainId);
        }

        _gone.TrySetResult();
        Silo.BecameIdle(this);
    }
}
