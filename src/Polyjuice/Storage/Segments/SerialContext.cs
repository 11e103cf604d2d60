namespace Polyjuice.Storage;

/// <summary>
/// Runs everything that is posted to it one after the other, wherever its runner runs it. What awaits in here comes
/// back here, so a log needs no locks, does not depend on the turn of the silo that called it (which may end any time),
/// and is as deterministic as its runner.
/// </summary>
/// <param name="run">Runs an action soon, not on the caller's stack.</param>
internal sealed class SerialContext(Action<Action> run) : SynchronizationContext
{
    private const int ItemsPerTurnMax = 64;
    private readonly Lock _gate = new();
    private readonly Queue<(SendOrPostCallback Callback, object? State)> _queue = [];
    private bool _isScheduled;

    public override void Post(SendOrPostCallback d, object? state)
    {
        lock (_gate)
        {
            _queue.Enqueue((d, state));
            if (_isScheduled) return;
            _isScheduled = true;
        }

        run(Pump);
    }

    public override void Send(SendOrPostCallback d, object? state) =>
        throw new NotSupportedException("Nothing waits for a log on a thread.");

    public override SynchronizationContext CreateCopy() => this;

    /// <summary>Runs work here; its result goes to whoever awaits it, where that one is.</summary>
    public Task<T> RunAsync<T>(Func<Task<T>> work)
    {
        var done = new TaskCompletionSource<T>(TaskCreationOptions.RunContinuationsAsynchronously);
        Post(static state =>
        {
            var (work, done) = ((Func<Task<T>>, TaskCompletionSource<T>))state!;
            _ = CompleteAsync(work, done);
        }, (work, done));
        return done.Task;
    }

    private static async Task CompleteAsync<T>(Func<Task<T>> work, TaskCompletionSource<T> done)
    {
        try
        {
            done.TrySetResult(await work());
        }
        catch (OperationCanceledException exception)
        {
            done.TrySetCanceled(exception.CancellationToken);
        }
        catch (Exception exception)
        {
            done.TrySetException(exception);
        }
    }

    private void Pump()
    {
        var outer = Current;
        SetSynchronizationContext(this);
        try
        {
            for (var i = 0; i < ItemsPerTurnMax; i++)
            {
                (SendOrPostCallback Callback, object? State) item;
                lock (_gate)
                {
                    if (!_queue.TryDequeue(out item))
                    {
                        _isScheduled = false;
                        return;
                    }
                }

                item.Callback(item.State);
            }
        }
        finally
        {
            SetSynchronizationContext(outer);
        }

        run(Pump);
    }
}
