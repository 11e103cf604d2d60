namespace Polyjuice.Orleans.Silos;

/// <summary>How far a silo's end has come: its engines end together. Thread-safe.</summary>
internal sealed class SiloLife
{
    private readonly CancellationTokenSource _stopping = new();
    private bool _isClosed;

    /// <summary>
    /// Whether the engines have ended, or end at this moment: there is nothing to be told to them any more.
    /// </summary>
    public bool IsClosed => Volatile.Read(ref _isClosed);

    /// <summary>Whether they are about to end.</summary>
    public bool IsStopping => _stopping.IsCancellationRequested;

    /// <summary>Cancelled when they are about to end.</summary>
    public CancellationToken Stopping => _stopping.Token;

    /// <summary>They end.</summary>
    /// <returns>Whether nobody else has said so.</returns>
    public bool Close()
    {
        _stopping.Cancel();
        return !Interlocked.Exchange(ref _isClosed, true);
    }
}
