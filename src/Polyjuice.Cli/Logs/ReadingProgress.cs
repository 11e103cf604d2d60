using System.Globalization;

namespace Polyjuice.Cli.Logs;

/// <summary>Says every few seconds how far reading has got; nothing of what takes less.</summary>
/// <param name="output">Where to: not where the results go.</param>
/// <param name="time">The clock.</param>
internal sealed class ReadingProgress(TextWriter output, TimeProvider time)
{
    public static readonly TimeSpan Period = TimeSpan.FromSeconds(2);
    private readonly long _began = time.GetTimestamp();
    private TimeSpan _said;

    /// <summary>How much there is to read, in bytes.</summary>
    public long Total { get; set; }

    /// <summary>How much was read.</summary>
    public long Read { get; private set; }

    /// <summary>So much more was read.</summary>
    public void Add(int bytes)
    {
        Read += bytes;
        var elapsed = time.GetElapsedTime(_began);
        if (elapsed - _said < Period) return;
        _said = elapsed;
        output.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"{elapsed.TotalSeconds:0} s: {Read >> 20:N0} of {Math.Max(Read, Total) >> 20:N0} MiB read "
            + $"({100.0 * Read / Math.Max(1, Math.Max(Read, Total)):0}%); Ctrl+C ends it"));
    }
}
