using System.Globalization;
using Polyjuice.Tracing;

namespace Polyjuice.Storage;

/// <summary>A block of a trace on a device.</summary>
/// <param name="Name">What it is called there.</param>
/// <param name="File">The trace's file that it is part of.</param>
/// <param name="Number">Which part; from 0.</param>
/// <param name="WrittenAt">When it was written, by the clock of who wrote it.</param>
/// <param name="Bytes">How long it is.</param>
internal sealed record TraceBlock(string Name, string File, int Number, DateTimeOffset WrittenAt, long Bytes);

/// <summary>
/// What blocks of traces are called on a device: <c>FILE/NUMBER-TIME</c>, in milliseconds since 1970.
/// </summary>
internal static class TraceBlockName
{
    /// <summary>What the names of a file's blocks begin with.</summary>
    public static string FolderOf(string file) => file + "/";

    /// <summary>The name of one of them.</summary>
    public static string Of(string file, int number, DateTimeOffset time) =>
        string.Create(
            CultureInfo.InvariantCulture, $"{FolderOf(file)}{number:00000000}-{time.ToUnixTimeMilliseconds()}");

    /// <summary>The reverse; <see langword="null"/> for what is no block of a trace.</summary>
    public static TraceBlock? Parse(LogDeviceEntry entry)
    {
        if (entry.Name.Split('/') is not [var file, var rest]) return null;
        return file.EndsWith(TraceFileInfo.Extension, StringComparison.Ordinal)
            && rest.Split('-') is [var number, var time]
            && int.TryParse(number, NumberStyles.None, CultureInfo.InvariantCulture, out var part)
            && long.TryParse(time, NumberStyles.None, CultureInfo.InvariantCulture, out var milliseconds)
            ? new(entry.Name, file, part, DateTimeOffset.FromUnixTimeMilliseconds(milliseconds), entry.Length)
            : null;
    }
}
