using System.ComponentModel.DataAnnotations;

namespace Polyjuice.Tracing;

/// <summary>
/// What is recorded of accesses, and how much of it is kept. Times are microseconds. Validated when recording starts.
/// </summary>
public sealed class TraceRecorderOptions : IValidatableObject
{
    /// <summary>More files than one a second would be slower to list than to read.</summary>
    private const long FilePeriodMin = 1_000_000;

    /// <summary>
    /// How far apart the starts of two windows are. Windows start at multiples of it since the Unix epoch, so that all
    /// silos record the same ones. Default 10 s; 1 ms to 1 day.
    /// </summary>
    [Range(1_000L, 86_400_000_000L)]
    public long WindowPeriodMicroseconds { get; set; } = 10_000_000;

    /// <summary>
    /// How long a window is: everything in it is recorded, and nothing between windows, because leaving out single
    /// transactions would leave out contention. The period itself, and so by default, records everything. Default 10 s;
    /// 1 ms to <see cref="WindowPeriodMicroseconds"/>.
    /// </summary>
    [Range(1_000L, 86_400_000_000L)]
    public long WindowLengthMicroseconds { get; set; } = 10_000_000;

    /// <summary>
    /// Chunks that a silo may hold, of 3,072 accesses and 0.2 MB each; with calls, of 0.1 MB more, and of
    /// <see cref="ArgumentBytesMax"/>. When all are on their way to the sink, the rest of the window is dropped, and
    /// counted. They are made when they are needed. Default 16;
    /// 2 to 1,024.
    /// </summary>
    [Range(2, 1_024)]
    public int ChunksMax { get; set; } = 16;

    /// <summary>
    /// What was recorded is handed to the sink after this long at
    /// the latest, while anything happens. Default 1 s; 1 ms to 1 h.
    /// </summary>
    [Range(1_000L, 3_600_000_000L)]
    public long HandOverMicroseconds { get; set; } = 1_000_000;

    /// <summary>
    /// A file that has grown to this many bytes is ended, and the next begun. Default 64 MiB; 1 B to 1 TiB.
    /// </summary>
    [Range(1L, 1L << 40)]
    public long FileBytesMax { get; set; } = 64L << 20;

    /// <summary>
    /// Each file holds what was recorded within one period, which begins at multiples of it since the Unix epoch, so
    /// that whoever collects traces while silos go on recording finds files that are done. 0, and so by default, begins
    /// a file only when the last one is full; otherwise 1 s to 1 day. With the trainer service: its windows' length, or
    /// a whole part of it.
    /// </summary>
    [Range(0L, 86_400_000_000L)]
    public long FilePeriodMicroseconds { get; set; }

    /// <summary>
    /// A secret by which grains' keys are hashed before they are written, the same on all silos;
    /// <see langword="null"/>, and so by default, writes them as they are. Who knows it can find out whether a key that
    /// they guess is in the trace. 8 characters at least.
    /// </summary>
    [MinLength(8)]
    public string? KeySalt { get; set; }

    /// <summary>
    /// Also records the call that each transaction began with: method, key and arguments, as the host's serializer
    /// writes them, so that it can be made again in a test cluster. Default <see langword="false"/>, and think before
    /// you change it: arguments may be personal data, and whoever can read the files can read them. Not together with
    /// <see cref="KeySalt"/>, because nobody can call a grain by the hash of its key, and arguments have keys in them.
    /// </summary>
    public bool RecordsCalls { get; set; }

    /// <summary>
    /// Arguments of a call that have more bytes are left out, and counted;
    /// the call then can't be made again. Default 4,096; 0 to 1 MiB.
    /// </summary>
    [Range(0, 1 << 20)]
    public int ArgumentBytesMax { get; set; } = 4_096;

    /// <summary>
    /// Also records each state that a window accesses as it was when the window began: with the calls, a window can be
    /// made again from where it began. Needs <see cref="RecordsCalls"/>; what is said there of personal data goes for
    /// states all the more. Each state that a window accesses is encoded and written once for each
    /// <see cref="WindowPeriodMicroseconds"/>: record a window now and then. Default <see langword="false"/>.
    /// </summary>
    public bool RecordsStates { get; set; }

    /// <summary>States that have more bytes are left out, and counted. Default 65,536; 0 to 16 MiB.</summary>
    [Range(0, 16 << 20)]
    public int StateBytesMax { get; set; } = 65_536;

    /// <summary>Throws <see cref="ValidationException"/> naming the first option that is out of its bounds.</summary>
    internal void Validate() =>
        Validator.ValidateObject(this, new ValidationContext(this), validateAllProperties: true);

    /// <inheritdoc/>
    IEnumerable<ValidationResult> IValidatableObject.Validate(ValidationContext validationContext)
    {
        if (WindowLengthMicroseconds > WindowPeriodMicroseconds)
            yield return new ValidationResult(
                $"{nameof(WindowLengthMicroseconds)} is {WindowLengthMicroseconds}, more than "
                + $"{nameof(WindowPeriodMicroseconds)}, {WindowPeriodMicroseconds}.",
                [nameof(WindowLengthMicroseconds)]);
        if (FilePeriodMicroseconds is > 0 and < FilePeriodMin)
            yield return new ValidationResult(
                $"{nameof(FilePeriodMicroseconds)} is {FilePeriodMicroseconds}, and is 0 or at least {FilePeriodMin}.",
                [nameof(FilePeriodMicroseconds)]);
        if (RecordsStates && !RecordsCalls)
            yield return new ValidationResult(
                $"{nameof(RecordsStates)} needs {nameof(RecordsCalls)}: states are what calls are made again from.",
                [nameof(RecordsStates)]);
        if (RecordsCalls && KeySalt is not null)
            yield return new ValidationResult(
                $"{nameof(RecordsCalls)} and {nameof(KeySalt)} exclude each other: arguments would still tell what "
                + "hashed keys hide, and no call could be made again.",
                [nameof(RecordsCalls)]);
    }
}
