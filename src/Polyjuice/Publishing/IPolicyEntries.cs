namespace Polyjuice.Publishing;

/// <summary>
/// Where published policies are kept: numbered entries, 1, 2, 3, …, each written once and never changed. Many processes
/// use one place at the same time. Thread-safe. What an entry says, and whether it is right, is not its business.
/// </summary>
internal interface IPolicyEntries
{
    /// <summary>
    /// What an entry may be long at most, in bytes: 16 MiB. A longer one is nobody's that Polyjuice wrote.
    /// </summary>
    const int EntryBytesMax = 16 << 20;

    /// <summary>Where it is, for logs and errors: without secrets.</summary>
    string Location { get; }

    /// <summary>
    /// The highest number that is taken, 0 for none. There may be more by the time
    /// it is used; those below it may be missing, because somebody deleted them.
    /// </summary>
    /// <param name="cancellationToken">Gives up.</param>
    /// <exception cref="IOException">It can't be reached, or is not there; the message says what to do.</exception>
    /// <exception cref="UnauthorizedAccessException">This process may not.</exception>
    ValueTask<int> GetLastAsync(CancellationToken cancellationToken);

    /// <summary>An entry's bytes, all of them, or <see langword="null"/> if there is none of that number.</summary>
    /// <param name="number">From 1.</param>
    /// <param name="cancellationToken">Gives up.</param>
    /// <exception cref="InvalidDataException">It is longer than <see cref="EntryBytesMax"/>.</exception>
    /// <exception cref="IOException">It can't be reached.</exception>
    /// <exception cref="UnauthorizedAccessException">This process may not.</exception>
    ValueTask<byte[]?> ReadAsync(int number, CancellationToken cancellationToken);

    /// <summary>
    /// Makes an entry, unless there is one of that number: of several that try, one is told <see langword="true"/>.
    /// Then it is durable, and nobody ever sees a part of it. When it throws, or is cancelled, all of it is there or
    /// nothing. An implementation that repeats a request by itself may answer <see langword="false"/> although the
    /// entry is its own; who asks then looks at what is there.
    /// </summary>
    /// <param name="number">From 1.</param>
    /// <param name="content">
    /// Its bytes, at most <see cref="EntryBytesMax"/>. They don't change before the task has completed.
    /// </param>
    /// <param name="cancellationToken">Gives up; the effect is then unknown.</param>
    /// <exception cref="IOException">It can't be reached or written.</exception>
    /// <exception cref="UnauthorizedAccessException">This process may not.</exception>
    ValueTask<bool> CreateAsync(int number, ReadOnlyMemory<byte> content, CancellationToken cancellationToken);

    /// <summary>
    /// Calls back, on any thread, when there may be a new entry, until the result is disposed. A hint that shortens the
    /// wait for the next look and no more: it may come for nothing, late, or never.
    /// </summary>
    /// <param name="changed">Must not block or throw.</param>
    /// <returns>Ends it; <see langword="null"/>, and so by default, if it never calls.</returns>
    IDisposable? Watch(Action changed) => null;
}
