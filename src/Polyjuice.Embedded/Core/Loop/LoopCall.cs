using Orleans.Runtime;

namespace Polyjuice.Embedded.Core;

/// <summary>Work whose author waits elsewhere and must be told when the loop ends before it ran.</summary>
internal interface IAbandonable
{
    void Abandon();
}

/// <summary>An asynchronous function to be run on a loop for somebody outside of it.</summary>
internal abstract class LoopCall : IAbandonable
{
    public abstract void Run();

    /// <inheritdoc/>
    public abstract void Abandon();
}

/// <inheritdoc/>
internal sealed class LoopCall<T>(Func<Task<T>> function) : LoopCall
{
    private readonly ExecutionContext? _context = ExecutionContext.Capture();
    private readonly TaskCompletionSource<T> _source = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public Task<T> Task => _source.Task;

    /// <inheritdoc/>
    public override void Run()
    {
        if (_context is null) Start(this);
        else ExecutionContext.Run(_context, static state => Start((LoopCall<T>)state!), this);
    }

    /// <inheritdoc/>
    public override void Abandon() => _source.TrySetException(new SiloUnavailableException("The node was stopped."));

    private static void Start(LoopCall<T> call) => _ = call.CompleteAsync();

    private async Task CompleteAsync()
    {
        try
        {
            _source.TrySetResult(await function());
        }
        catch (OperationCanceledException exception)
        {
            _source.TrySetCanceled(exception.CancellationToken);
        }
        catch (Exception exception)
        {
            _source.TrySetException(exception);
        }
    }
}
