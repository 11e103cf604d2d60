namespace Polyjuice.Storage;

/// <summary>Opens the logs that a host was configured with. Hosts look providers up by name. Thread-safe.</summary>
internal interface ILogStoreProvider
{
    /// <summary>
    /// Opens the logs, or creates them. A host calls this once, when
    /// it starts, and disposes what it got when it has stopped.
    /// </summary>
    /// <param name="cancellationToken">Gives up.</param>
    Task<ILogStore> OpenAsync(CancellationToken cancellationToken);
}
