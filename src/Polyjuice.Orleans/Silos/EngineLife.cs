using Polyjuice.Engine;

namespace Polyjuice.Orleans.Silos;

/// <summary>
/// An engine, from the opening of its silo's logs to the silo's end: it is not there yet, runs, is about to stop, is
/// closed. Thread-safe, but for the engine itself.
/// </summary>
internal sealed class EngineLife(EngineIdentity self, SiloLife silo)
{
    private TransactionEngine? _engine;

    /// <summary>The engine; on its turn only.</summary>
    /// <exception cref="InvalidOperationException">The silo has not got as far.</exception>
    public TransactionEngine Engine => _engine ?? throw self.NotOpen();

    /// <summary>The engine, however far its end has come; nothing as long as the logs are not open.</summary>
    public TransactionEngine? Opened => _engine;

    /// <summary>The engine, if the logs are open and it is not closed.</summary>
    public TransactionEngine? Running => IsClosed ? null : _engine;

    /// <inheritdoc cref="SiloLife.IsClosed"/>
    public bool IsClosed => silo.IsClosed;

    /// <inheritdoc cref="SiloLife.IsStopping"/>
    public bool IsStopping => silo.IsStopping;

    /// <inheritdoc cref="SiloLife.Stopping"/>
    public CancellationToken Stopping => silo.Stopping;

    /// <summary>The logs are open.</summary>
    public void Open(TransactionEngine engine) => _engine = engine;
}
