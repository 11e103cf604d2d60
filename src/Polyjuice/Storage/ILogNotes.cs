namespace Polyjuice.Storage;

/// <summary>
/// Small things that a host keeps beside its logs, because they must outlive its processes as the logs do. A log store
/// may have them.
/// A note has a name; each that is written takes the place of the one before. Thread-safe, also for several processes.
/// </summary>
internal interface ILogNotes
{
    /// <summary>The latest note of a name, or <see langword="null"/> if there is none.</summary>
    /// <param name="name">1 to 64 characters of <c>a-z 0-9 -</c>.</param>
    /// <param name="cancellationToken">Gives up.</param>
    /// <exception cref="IOException">It can't be read.</exception>
    /// <exception cref="UnauthorizedAccessException">This process may not.</exception>
    ValueTask<LogNote?> ReadNoteAsync(string name, CancellationToken cancellationToken);

    /// <summary>
    /// Writes the next note of a name, unless somebody else has. When it throws, or is cancelled, all of it is there or
    /// nothing.
    /// </summary>
    /// <param name="name">As for <see cref="ReadNoteAsync"/>.</param>
    /// <param name="number">One more than the latest note's <see cref="LogNote.Number"/>; 1 for the first.</param>
    /// <param name="content">What it says.</param>
    /// <param name="cancellationToken">Gives up.</param>
    /// <returns>Whether it is the latest note, and durable; if not, read what is there.</returns>
    /// <exception cref="IOException">It can't be written.</exception>
    /// <exception cref="UnauthorizedAccessException">This process may not.</exception>
    ValueTask<bool> WriteNoteAsync(
        string name, long number, ReadOnlyMemory<byte> content, CancellationToken cancellationToken);
}

/// <summary>A note.</summary>
/// <param name="Number">From 1; each note of a name has a higher one than those before it.</param>
/// <param name="Content">What it says.</param>
internal sealed record LogNote(long Number, ReadOnlyMemory<byte> Content);
