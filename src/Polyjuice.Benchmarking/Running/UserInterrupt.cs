namespace Polyjuice.Benchmarking.Running;

/// <summary>Ctrl-C: the first one ends the measurements in good order; the second one is the system's.</summary>
public sealed class UserInterrupt : IDisposable
{
    private readonly CancellationTokenSource _ending = new();

    /// <summary>Listens from now on.</summary>
    public UserInterrupt() => Console.CancelKeyPress += OnCancel;

    /// <summary>Cancelled by the first one.</summary>
    public CancellationToken Token => _ending.Token;

    /// <inheritdoc/>
    public void Dispose()
    {
        Console.CancelKeyPress -= OnCancel;
        _ending.Dispose();
    }

    private void OnCancel(object? sender, ConsoleCancelEventArgs e)
    {
        e.Cancel = !_ending.IsCancellationRequested;
        _ending.Cancel();
    }
}
