using Polyjuice.Simulation.Clusters;

namespace Polyjuice.Simulation.Events;

/// <summary>
/// The clock and the timers of a loop, for code that takes a <see cref="TimeProvider"/>. Not thread-safe, as the loop.
/// </summary>
/// <param name="loop">A timer that is due is an event of it.</param>
internal sealed class VirtualTime(EventLoop loop) : TimeProvider
{
    /// <inheritdoc/>
    public override long TimestampFrequency => 1_000_000;

    /// <inheritdoc/>
    public override TimeZoneInfo LocalTimeZone => TimeZoneInfo.Utc;

    /// <inheritdoc/>
    public override DateTimeOffset GetUtcNow() =>
        DateTimeOffset.UnixEpoch.AddMicroseconds(SimulatedCluster.Epoch + loop.Now);

    /// <inheritdoc/>
    public override long GetTimestamp() => loop.Now;

    /// <inheritdoc/>
    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        ArgumentNullException.ThrowIfNull(callback);
        return new VirtualTimer(loop, () => callback(state), dueTime, period);
    }
}
