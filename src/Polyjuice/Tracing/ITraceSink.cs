namespace Polyjuice.Tracing;

/// <summary>Where traces are written. All silos of a process may share one, so it must be thread-safe.</summary>
internal interface ITraceSink
{
    /// <summary>
    /// Makes a file. It is written from its start to its end, by one at a time, and flushed after each block; it is
    /// disposed when it is complete. When a write or a flush throws, zero, some or all of the block may be there: the
    /// file is given up, and another one is begun, so readers must expect a torn end.
    /// </summary>
    /// <param name="name">
    /// The file's name, without a folder; of letters, digits, '-' and '.'. No other recording uses it.
    /// </param>
    /// <param name="cancellationToken">Gives up.</param>
    /// <exception cref="IOException">It can't be made, or there is one of that name.</exception>
    Task<Stream> CreateAsync(string name, CancellationToken cancellationToken);

    /// <summary>
    /// Reads what all processes write there, while they go on, for who learns from it. <see langword="null"/>, and so
    /// by default, where nothing can be read by others.
    /// </summary>
    ITraceSource? Source => null;
}
