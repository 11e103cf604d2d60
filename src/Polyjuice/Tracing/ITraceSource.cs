namespace Polyjuice.Tracing;

/// <summary>
/// Where traces are read that silos have written with an
/// <see cref="ITraceSink"/>, while they go on writing. Thread-safe.
/// </summary>
internal interface ITraceSource
{
    /// <summary>Where that is, for people: without secrets.</summary>
    string Location { get; }

    /// <summary>
    /// The files that are there now, with or without anything in them; of nothing that is there yet, none.
    /// </summary>
    /// <param name="cancellationToken">Gives up.</param>
    /// <exception cref="IOException">It can't be reached.</exception>
    /// <exception cref="UnauthorizedAccessException">This process may not.</exception>
    Task<IReadOnlyList<TraceFileInfo>> ListAsync(CancellationToken cancellationToken);

    /// <summary>Opens a file to be read from its start to where it ends now. Blocks.</summary>
    /// <param name="name">As listed.</param>
    /// <exception cref="IOException">It can't be read, or is gone.</exception>
    /// <exception cref="UnauthorizedAccessException">This process may not.</exception>
    Stream Open(string name);

    /// <summary>Deletes a file. One that is gone already is no error.</summary>
    /// <param name="name">As listed.</param>
    /// <param name="cancellationToken">Gives up.</param>
    /// <exception cref="IOException">It can't be deleted.</exception>
    /// <exception cref="UnauthorizedAccessException">This process may not.</exception>
    Task DeleteAsync(string name, CancellationToken cancellationToken);
}

/// <summary>A file of a trace.</summary>
/// <param name="Name">Its name, as the recorder gave it.</param>
/// <param name="Bytes">How long it is.</param>
/// <param name="ChangedAt">When something was written to it last.</param>
internal readonly record struct TraceFileInfo(string Name, long Bytes, DateTimeOffset ChangedAt)
{
    /// <summary>What the names of such files end with.</summary>
    public const string Extension = ".pjtrace";
}
