using System.Collections.Concurrent;

namespace Polyjuice.Lab.Clusters;

/// <summary>
/// One thread on which all clients run, continuations included, as workloads
/// expect. Orleans' own clients have none, so there is one for measurements.
/// </summary>
public sealed class ClientLoop : SynchronizationContext, IDisposable
{
    private readonly BlockingCollection<(SendOrPostCallback Callback, object? State)> _work = [];

    /// <summary>Starts the thread.</summary>
    public ClientLoop() => new Thread(Run) { IsBackground = true, Name = "clients" }.Start();

    /// <summary>Runs client code on the loop, where its awaits come back to.</summary>
    public Task RunAsync(Func<Task> body)
    {
        var done = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        Post(
            async _ =>
            {
                try
                {
                    await body();
                    done.SetResult();
                }
                catch (Exception exception)
                {
                    done.SetException(exception);
                }
            },
            null);
        return done.Task;
    }

    /// <inheritdoc/>
    public override void Post(SendOrPostCallback d, object? state)
    {
        try
        {
            _work.Add((d, state));
        }
        catch (InvalidOperationException) when (_work.IsAddingCompleted)
        {
            // The answer to a call that nobody waits for any more.
        }
    }

    /// <inheritdoc/>
    public override SynchronizationContext CreateCopy() => this;

    /// <inheritdoc/>
    public void Dispose() => _work.CompleteAdding();

    private void Run()
    {
        SetSynchronizationContext(this);
        foreach (var (callback, state) in _work.GetConsumingEnumerable()) callback(state);
    }
}
