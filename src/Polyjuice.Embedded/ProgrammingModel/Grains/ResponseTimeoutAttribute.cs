using System.Globalization;

namespace Orleans;

/// <summary>How long callers of a grain interface method wait for its answer.</summary>
/// <param name="timeout">As <see cref="TimeSpan.Parse(string)"/> understands it ("00:00:05").</param>
[AttributeUsage(AttributeTargets.Method)]
public sealed class ResponseTimeoutAttribute(string timeout) : Attribute
{
    /// <summary>The time.</summary>
    public TimeSpan? Timeout { get; init; } = TimeSpan.Parse(timeout, CultureInfo.InvariantCulture);
}
