using System.ComponentModel.DataAnnotations;

namespace Polyjuice.Training.Calls;

/// <summary>How recorded calls are made again. Validated when a replay is made.</summary>
internal sealed record CallReplayOptions
{
    /// <summary>
    /// Clients of a closed loop: each makes the next call that nobody has made yet when its last one has ended. Of no
    /// account when calls arrive as they were recorded. Default 64; 1 to 100,000.
    /// </summary>
    [Range(1, 100_000)]
    public int Clients { get; init; } = 64;

    /// <summary>
    /// Calls arrive as they were recorded, so many times as fast, whether or not
    /// earlier ones have ended; what lay between recorded windows is passed over. 0,
    /// and so by default, is a closed loop of <see cref="Clients"/>. At most 1,000.
    /// </summary>
    [Range(0, 1_000.0)]
    public double Speed { get; init; }

    /// <summary>
    /// Calls under way at the most when they arrive as they were recorded; what
    /// is due beyond that waits, and is late. Default 10,000; 1 to 1,000,000.
    /// </summary>
    [Range(1, 1_000_000)]
    public int UnderWayMax { get; init; } = 10_000;

    /// <summary>
    /// A call counts as late if it is made longer than this after it was due.
    /// Default 10 ms; 0 to 1 h; calls are released once in a millisecond or so.
    /// </summary>
    [Range(typeof(TimeSpan), "00:00:00", "01:00:00")]
    public TimeSpan LateAfter { get; init; } = TimeSpan.FromMilliseconds(10);

    /// <summary>
    /// How often a call that the system has given up is made again, so that the mix stays as it was recorded
    /// (Polyjuice, §7.1); the runtime has tried each of them several times by then. Default 10; 0 to 1,000.
    /// </summary>
    [Range(0, 1_000)]
    public int RepeatsMax { get; init; } = 10;

    /// <summary>Ends after so many calls. Default: none are left out; 1 or more.</summary>
    [Range(1, int.MaxValue)]
    public int CallsMax { get; init; } = int.MaxValue;

    /// <summary>The clock. Default: the system's.</summary>
    public TimeProvider Time { get; init; } = TimeProvider.System;
}
