using Polyjuice.Embedded.Core;

namespace Polyjuice.Embedded.Simulated;

/// <summary>Virtual time for user code: the clock is that of the node whose turn it is, and so are the timers, which die with it.</summary>
internal sealed class VirtualTimeProvider(SimulatedWorld world) : TimeProvider
{
    /// <inheritdoc/>
    public override long TimestampFrequency => 1_000_000;

    /// <inheritdoc/>
    public override TimeZoneInfo LocalTimeZone => TimeZoneInfo.Utc;

    /// <inheritdoc/>
    public override DateTimeOffset GetUtcNow() =>
        DateTimeOffset.UnixEpoch.AddMicroseconds(NodeLoop.Current?.UtcMicroseconds ?? SimulatedWorld.Epoch + world.Events.Now);

    /// <inheritdoc/>
    public override long GetTimestamp() => world.Events.Now;

    /// <inheritdoc/>
    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        ArgumentNullException.ThrowIfNull(callback);
        return new VirtualTimer(NodeLoop.Current ?? world.ClientLoop, callback, state, dueTime, period);
    }
}
