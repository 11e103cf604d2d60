using System.ComponentModel.DataAnnotations;

namespace Orleans.Configuration;

/// <summary>How messages of transactional outboxes are sent. Validated at start, with the option's name.</summary>
public sealed class OutboxOptions
{
    /// <summary>
    /// How often a message is tried to be sent before it is parked. A take-over by another silo counts anew. Default
    /// 20; 1 to 1,000,000.
    /// </summary>
    [Range(1, 1_000_000)]
    public int AttemptsMax { get; set; } = 20;

    /// <summary>
    /// The pause after the first attempt that fails; twice as long after each further one. Default 200 ms; 1 ms to 1
    /// h.
    /// </summary>
    [Range(typeof(TimeSpan), "00:00:00.001", "01:00:00")]
    public TimeSpan RetryDelay { get; set; } = TimeSpan.FromMilliseconds(200);

    /// <summary>The longest of these pauses. Default 1 min; 1 ms to 24 h.</summary>
    [Range(typeof(TimeSpan), "00:00:00.001", "1.00:00:00")]
    public TimeSpan RetryDelayMax { get; set; } = TimeSpan.FromMinutes(1);

    /// <summary>How long a sender has for one message. Default 30 s; 1 ms to 1 h.</summary>
    [Range(typeof(TimeSpan), "00:00:00.001", "01:00:00")]
    public TimeSpan SendTimeout { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>
    /// Bytes of a message, as Orleans' serialiser writes its content, at the most. Default 16,384; 64 to 1,048,576.
    /// </summary>
    [Range(64, 1_048_576)]
    public int MessageBytes { get; set; } = 16_384;

    /// <summary>
    /// Bytes of messages that wait in one lane, at the most, and of those that are parked there. A log partition has
    /// 64 lanes, and a grain has one of them. All of a lane is written with each message: much of it makes that slow.
    /// Default 262,144; 1,024 to 16,777,216.
    /// </summary>
    [Range(1_024, 16_777_216)]
    public int LaneBytes { get; set; } = 262_144;
}
