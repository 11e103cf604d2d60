namespace Polyjuice.Publishing.Following;

/// <summary>
/// The pause between two looks, which ends early when there may be something new. Thread-safe; one flow waits.
/// </summary>
/// <param name="interval">How long it is at the most.</param>
/// <param name="time">The clock.</param>
internal sealed class LookPause(TimeSpan interval, TimeProvider time)
{
    private readonly Lock _gate = new();
    private CancellationTokenSource? _wake;
    private bool _isWoken;

    /// <summary>Waits, unless <see cref="End"/> was called since the last pause.</summary>
    public async Task WaitAsync(CancellationToken cancellationToken)
    {
        using var wake = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        lock (_gate)
        {
            if (!_isWoken) _wake = wake;
            _isWoken = false;
        }

        if (_wake is null) return;
        try
        {
            await Task.Delay(interval, time, wake.Token);
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            // There may be something new.
        }
        finally
        {
            lock (_gate)
            {
                _wake = null;
                _isWoken = false;
            }
        }
    }

    /// <summary>There may be something new.</summary>
    public void End()
    {
        CancellationTokenSource? wake;
        lock (_gate)
        {
            _isWoken = true;
            wake = _wake;
            _wake = null;
        }

        try
        {
            wake?.Cancel();
        }
        catch (ObjectDisposedException)
        {
            // It woke up by itself at the same moment.
        }
    }
}
