namespace Polyjuice.Storage;

/// <summary>
/// What a segmented log needs of the place where logs are kept: a folder, a container of blobs, a simulated disk.
/// Two kinds of things have names: <em>segments</em>, which only grow at their end, and <em>objects</em>, which are put
/// whole. A name is used for one kind only, has at most 128 characters of <c>a-z 0-9 - . /</c>, and never begins or
/// ends with a slash. Thread-safe; calls for different names do not wait for each other.
/// </summary>
/// <remarks>
/// <para>Unless a member says otherwise, a call that throws (or is cancelled) has had an effect of zero, some or all,
/// and what it began may still take effect later; callers repeat it or look. Every member may be repeated. Transient
/// failures may be retried inside, as long as the contract holds;
/// a call must end, one way or another, in bounded time.</para>
/// <para>What has once been seen stays: what <see cref="ReadAsync"/>, <see cref="GetLengthAsync"/> and
/// <see cref="ListAsync"/> show is durable, and every later call, by any process, sees it too (until it is deleted). So
/// a device on a disk must not show what a crash before its next flush could take back.</para>
/// <para>Exceptions carry a message that says what to do where that is known (disk full, permission denied, read-only,
/// throttled) and name the device's <see cref="Location"/>. <see cref="FileNotFoundException"/> means that there is no
/// such name; other failures are <see cref="IOException"/> or <see cref="UnauthorizedAccessException"/>.</para>
/// </remarks>
public interface ILogDevice : IAsyncDisposable
{
    /// <summary>Where this is, for messages: a path, a URL without secrets.</summary>
    string Location { get; }

    /// <summary>
    /// Whether a crash may leave part of an append that was never answered: a prefix, or bytes of it with holes. Only
    /// its last bytes can be concerned, because of one segment there is never more than one append under way. If so,
    /// who opens the log holds the lock of <see cref="LockAsync"/> and cuts what is torn with
    /// <see cref="TruncateAsync"/>. The same goes for zeros behind the last append, where room was made ahead: whoever
    /// opens a segment that was not closed may find them counted as part of it. If not, appends are all or nothing,
    /// whatever happens, and nothing but appends is there.
    /// </summary>
    bool MayTear { get; }

    /// <summary>The most bytes of one append; at least 1 MiB.</summary>
    int AppendBytesMax { get; }

    /// <summary>The most appends to one segment; at least 1,000. Callers go on in another segment before.</summary>
    int AppendsPerSegmentMax { get; }

    /// <summary>
    /// Takes the whole device for one user of it, across processes and machines. Needed for devices that
    /// <see cref="MayTear"/>, and for clusters of one process. Clusters of several processes do without it on the other
    /// devices: there <see cref="AppendAsync"/> alone decides between rivals.
    /// </summary>
    /// <param name="holder">Who, for the messages that others get: process, machine, since when.</param>
    /// <param name="cancellationToken">Gives up.</param>
    /// <returns>The lock. Its holder keeps it (and a lease renewed) until it is disposed.</returns>
    /// <exception cref="LogDeviceLockedException">
    /// Somebody else has it; the message says who. Thrown at once, not after waiting.
    /// </exception>
    ValueTask<ILogDeviceLock> LockAsync(string holder, CancellationToken cancellationToken);

    /// <summary>
    /// All segments and objects whose names begin with a prefix, in ordinal order
    /// of their names. Complete: what was durable before the call is there.
    /// </summary>
    /// <param name="prefix">What the names begin with; all, if it is empty.</param>
    /// <param name="cancellationToken">Gives up.</param>
    /// <exception cref="IOException">It can't be reached.</exception>
    ValueTask<IReadOnlyList<LogDeviceEntry>> ListAsync(string prefix, CancellationToken cancellationToken);

    /// <summary>
    /// Makes an empty segment, durably; does nothing, and changes nothing, if there is one of that name.
    /// </summary>
    /// <param name="segment">The segment's name.</param>
    /// <param name="cancellationToken">Gives up; it is then there, empty, or not.</param>
    /// <exception cref="IOException">It can't be made; it may be there all the same.</exception>
    ValueTask CreateAsync(string segment, CancellationToken cancellationToken);

    /// <summary>
    /// Appends bytes to a segment if it is exactly so long. This is the fence between rivals: of two appends at one
    /// offset, at most one is ever <see cref="DeviceAppendResult.Appended"/>, and the other one leaves no trace.
    /// </summary>
    /// <param name="segment">An existing segment.</param>
    /// <param name="offset">The segment's length before; the append's condition.</param>
    /// <param name="bytes">1 to <see cref="AppendBytesMax"/> bytes; unchanged until the task has completed.</param>
    /// <param name="cancellationToken">Abandons the call; the effect is then unknown.</param>
    /// <returns>
    /// <see cref="DeviceAppendResult.Appended"/>: the bytes are durable at that offset, all of them, and the segment is
    /// now so much longer. <see cref="DeviceAppendResult.Conflict"/>: the segment has another length, and this call has
    /// written nothing and never will. The bytes that are there instead may be those of an earlier call that threw: the
    /// caller reads them.
    /// </returns>
    /// <exception cref="FileNotFoundException">There is no such segment; nothing was written.</exception>
    /// <exception cref="IOException">Unknown: nothing, all, or (on a device that <see cref="MayTear"/>, after a crash)
    /// some of the bytes are there, or all of them will be later. While the process lives, a repetition at the same
    /// offset answers as if this call had never been, or (when the bytes got there) with a conflict; a partial write is
    /// never shown.</exception>
    ValueTask<DeviceAppendResult> AppendAsync(
        string segment, long offset, ReadOnlyMemory<byte> bytes, CancellationToken cancellationToken);

    /// <summary>How long a segment or object is, in bytes.</summary>
    /// <param name="name">Which.</param>
    /// <param name="cancellationToken">Gives up.</param>
    /// <exception cref="FileNotFoundException">There is none of that name.</exception>
    ValueTask<long> GetLengthAsync(string name, CancellationToken cancellationToken);

    /// <summary>
    /// Segments to which appends were answered with <see cref="DeviceAppendResult.Appended"/>, and a length up to which
    /// all of them were, as far as the device has kept that somewhere else than in the segment; the segment may be
    /// gone. On a device that <see cref="MayTear"/> it tells apart what a crash left of an append that nobody was
    /// answered, and what was lost of others. Each segment at most once; empty where the device keeps nothing.
    /// </summary>
    /// <param name="prefix">What the segments' names begin with.</param>
    /// <param name="cancellationToken">Gives up.</param>
    ValueTask<IReadOnlyList<LogDeviceEntry>> ListAnsweredAsync(string prefix, CancellationToken cancellationToken) =>
        new([]);

    /// <summary>Reads part of a segment or object.</summary>
    /// <param name="name">Which.</param>
    /// <param name="offset">Where to begin; 0 to its length.</param>
    /// <param name="buffer">Filled as far as there are bytes.</param>
    /// <param name="cancellationToken">Gives up.</param>
    /// <returns>How many bytes were read: less than the buffer takes only where the segment or object ends.</returns>
    /// <exception cref="FileNotFoundException">There is none of that name (any more).</exception>
    ValueTask<int> ReadAsync(string name, long offset, Memory<byte> buffer, CancellationToken cancellationToken);

    /// <summary>
    /// Cuts a segment, durably. Only on a device that
    /// <see cref="MayTear"/>, by who has the lock, before it appends there.
    /// </summary>
    /// <param name="segment">Which.</param>
    /// <param name="length">How many bytes stay; 0 to its length.</param>
    /// <param name="cancellationToken">Gives up.</param>
    /// <exception cref="NotSupportedException">The device never tears.</exception>
    ValueTask TruncateAsync(string segment, long length, CancellationToken cancellationToken);

    /// <summary>
    /// Puts an object: durable and whole when this returns, and never to be seen in part, not even after a crash in the
    /// middle (written under another name, then switched; what a crash leaves of that is not listed and is removed some
    /// day).
    /// </summary>
    /// <param name="name">Its name.</param>
    /// <param name="content">
    /// Its bytes in pieces of any size; enumerated once, each piece valid until the next is asked for.
    /// </param>
    /// <param name="overwrite">
    /// Whether an object of that name is replaced, at once and as a whole. If not, it stays as it is.
    /// </param>
    /// <param name="cancellationToken">Gives up; the object is then there whole, or not at all.</param>
    /// <returns>
    /// <see langword="false"/> if there was one and it was to stay.
    /// Of several at once, then, one gets <see langword="true"/>.
    /// </returns>
    ValueTask<bool> PutAsync(
        string name, IAsyncEnumerable<ReadOnlyMemory<byte>> content, bool overwrite,
        CancellationToken cancellationToken);

    /// <summary>Deletes a segment or object; does nothing if there is none. Need not be durable at once.</summary>
    /// <param name="name">Which.</param>
    /// <param name="cancellationToken">Gives up; it is then there or not.</param>
    /// <exception cref="IOException">It can't be deleted.</exception>
    ValueTask DeleteAsync(string name, CancellationToken cancellationToken);
}

/// <summary>A segment or object.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Length">Its length in bytes when it was listed; it may have grown since.</param>
public readonly record struct LogDeviceEntry(string Name, long Length);

/// <summary>What became of an append to a segment.</summary>
public enum DeviceAppendResult
{
    /// <summary>Durable at the offset.</summary>
    Appended,

    /// <summary>The segment has another length; nothing was written.</summary>
    Conflict,
}

/// <summary>A device taken for one user. Disposing it gives it back. Thread-safe.</summary>
public interface ILogDeviceLock : IAsyncDisposable
{
    /// <summary>Cancelled when the lock has been, or may have been, lost: its holder must stop writing.</summary>
    CancellationToken Lost { get; }
}

/// <summary>Another process uses the logs.</summary>
/// <param name="message">Which, and what to do.</param>
/// <param name="inner">The cause, if there is one.</param>
public sealed class LogDeviceLockedException(string message, Exception? inner = null) : IOException(message, inner)
{
    /// <summary>Of logs that silos of one cluster may share, and whose locks end by themselves.</summary>
    /// <param name="location">Where they are.</param>
    /// <param name="holder">Who uses them, if that is known.</param>
    /// <param name="another">What can be another one, such as "schema or key prefix".</param>
    /// <param name="leaseDuration">How long after its holder's death the lock ends.</param>
    /// <param name="inner">What the device said.</param>
    internal static LogDeviceLockedException OfShared(
        string location, string? holder, string another, TimeSpan leaseDuration, Exception? inner = null) => new(
        $"The logs in {location} are used by {holder ?? "another process"}. If that is a silo of the same cluster, set "
        + $"Lock to false for all of them. If not, stop it first, or use another {another}. If it has died, its lock "
        + $"ends by itself {leaseDuration.TotalSeconds:0} s after that.",
        inner);
}
