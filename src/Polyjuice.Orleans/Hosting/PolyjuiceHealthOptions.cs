using System.ComponentModel.DataAnnotations;

namespace Orleans.Configuration;

/// <summary>
/// How the health checks of <c>AddPolyjuice()</c> judge a silo. Validated at start, with the option's name.
/// </summary>
public sealed class PolyjuiceHealthOptions
{
    /// <summary>
    /// How long the engine may take to answer at the most: it answers a check as it answers grains, in its turn.
    /// Default 10 s; 100 ms to 5 min. What asks the checks should wait longer than that.
    /// </summary>
    [Range(typeof(TimeSpan), "00:00:00.1", "00:05:00")]
    public TimeSpan AnswerTimeout { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>
    /// For how long after the last call that the silo has refused for overload it counts as overloaded. Default 30 s;
    /// 0, never, to 1 h.
    /// </summary>
    [Range(typeof(TimeSpan), "00:00:00", "01:00:00")]
    public TimeSpan OverloadWindow { get; set; } = TimeSpan.FromSeconds(30);
}
