using System.Globalization;
using Polyjuice.Tracing;
using Polyjuice.Training.Traces;
using Polyjuice.Wire;

namespace Polyjuice.Training.Service.Collecting;

/// <summary>A file that was not used up yet: one of a recording's, which are numbered.</summary>
internal sealed class PendingFile
{
    private PendingFile(TraceFileInfo info, string recording, int number) =>
        (Info, Recording, Number) = (info, recording, number);

    /// <summary>As it was listed last.</summary>
    public TraceFileInfo Info { get; set; }

    /// <summary>Which recording: a silo's, from its start to its end.</summary>
    public string Recording { get; }

    /// <summary>Its place in it.</summary>
    public int Number { get; }

    /// <summary>What it says of itself, once that was read.</summary>
    public RecordedHeader? Header { get; private set; }

    /// <summary>Whether nothing is written to it any more.</summary>
    public bool IsFinished { get; set; }

    /// <summary>Until when it may say something, in microseconds since the Unix epoch.</summary>
    public long End { get; set; }

    /// <summary>Since when, as far as is known.</summary>
    public long Start => Header?.StartMicroseconds ?? Changed;

    /// <summary>When it has grown last.</summary>
    public long Changed => (Info.ChangedAt - DateTimeOffset.UnixEpoch).Ticks / TimeSpan.TicksPerMicrosecond;

    /// <summary>A file of a recorder's name, NODE-TIME-NUMBER.pjtrace; <see langword="null"/> for any other.</summary>
    public static PendingFile? Of(TraceFileInfo info)
    {
        if (!info.Name.EndsWith(TraceFormat.Extension, StringComparison.Ordinal)) return null;
        var name = info.Name[..^TraceFormat.Extension.Length];
        var last = name.LastIndexOf('-');
        if (last <= 0
            || !int.TryParse(name.AsSpan(last + 1), NumberStyles.None, CultureInfo.InvariantCulture, out var number))
            return null;
        var recording = name[..last];
        var time = recording.LastIndexOf('-');
        return time > 0
            && long.TryParse(recording.AsSpan(time + 1), NumberStyles.None, CultureInfo.InvariantCulture, out _)
            ? new PendingFile(info, recording, number)
            : null;
    }

    /// <summary>
    /// Reads what it says of itself. Says what is wrong with it, if anything is;
    /// a file that was only just begun says nothing yet, and nothing is wrong.
    /// </summary>
    /// <exception cref="IOException">It can't be read.</exception>
    public string? Peek(ITraceSource source)
    {
        if (Header is not null) return null;
        using var stream = source.Open(Info.Name);
        try
        {
            var blocks = new TraceBlockReader(stream, Info.Name);
            if (!blocks.TryRead(out var kind, out var content))
                return IsFinished ? blocks.Torn ?? "it ends before it says who has recorded it" : null;
            if (kind != TraceBlockKind.Recording)
                return "it is no recording of a silo: a merged trace is not collected";
            Header = RecordedHeader.Read(content, blocks.HasCalls);
            return null;
        }
        catch (Exception exception) when (exception is TraceFormatException or CodingException)
        {
            return exception.Message.TrimEnd('.');
        }
    }
}
