using Polyjuice.Engine;

namespace Polyjuice.Orleans.Silos;

/// <summary>
/// The silo's engine, from the opening of its logs to its end: it is not there yet, runs, is about to stop, is closed.
/// Thread-safe, but for the engine itself.
/// </summary>
internal sealed class EngineLife(SiloIdentity self)
{
    private readonly CancellationTokenSource _stopping = new();
    private TransactionEngine? _engine;
    private bool _isClosed;

    /// <summary>The engine; on its turn only.</summary>
    /// <exception cref="InvalidOperationException">The silo has not got as far.</exception>
    public TransactionEngine Engine => _engine ?? throw self.NotOpen();

    /// <summary>The engine, however far its end has come; nothing as long as the logs are not open.</summary>
    public TransactionEngine? Opened => _engine;

    /// <summary>The engine, if the logs are open and it is not closed.</summary>
    public TransactionEngine? Running => IsClosed ? null : _engine;

    /// <summary>Whether it has ended, or ends at this moment: there is nothing to be told to it any more.</summary>
    public bool IsClosed => Volatile.Read(ref _isClosed);

    /// <summary>Whether it is about to end.</summary>
    public bool IsStopping => _stopping.IsCancellationRequested;

    /// <summary>Cancelled when it is about to end.</summary>
    public CancellationToken Stopping => _stopping.Token;

    /// <summary>The logs are open.</summary>
    public void Open(TransactionEngine engine) => _engine = engine;

    /// <summary>It ends.</summary>
    /// <returns>Whether nobody else has said so.</returns>
    public bool Close()
    {
        _stopping.Cancel();
        return !Interlocked.Exchange(ref _isClosed, true);
    }
}
