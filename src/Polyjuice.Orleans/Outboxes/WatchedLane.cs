using Microsoft.Extensions.Logging;
using Orleans;
using Orleans.Runtime;
using Polyjuice.Execution;

namespace Polyjuice.Orleans.Outboxes;

/// <summary>A lane as its silo watches it. For one thread, but for what its activation answers.</summary>
/// <param name="key">Its key.</param>
/// <param name="grains">Makes the reference to it.</param>
/// <param name="logger">For what fails.</param>
internal sealed class WatchedLane(string key, IGrainFactory grains, ILogger logger)
{
    /// <summary>
    /// For so long after a change the lane is woken all the same: what it reads may be ordered before what was just
    /// written, by the clocks' skew, and what is decided late is seen late.
    /// </summary>
    private static readonly long s_patience = (long)TimeSpan.FromSeconds(2).TotalMilliseconds;

    private readonly IOutboxLane _grain = grains.GetGrain<IOutboxLane>(key);

    private long _seen;
    private long _writtenAt;
    private long _changedAt;
    private int _pending;
    private Task _waking = Task.CompletedTask;

    /// <summary>The state with its messages.</summary>
    public ParticipantKey State { get; } = LaneNames.StateOf(key);

    /// <summary>
    /// The timestamp of the last version of that state, which may not be decided yet; 0 if there is none, or if this
    /// silo does not serve it.
    /// </summary>
    public long WrittenAt
    {
        get => _writtenAt;
        set
        {
            if (value != _writtenAt) _changedAt = Environment.TickCount64;
            _writtenAt = value;
        }
    }

    /// <summary>Wakes it if there may be something to send.</summary>
    /// <returns>How many messages it had to send when it was last woken.</returns>
    public int Look()
    {
        if (WrittenAt == 0)
        {
            // Whoever serves it next begins anew, and so does this silo when it serves it again.
            _seen = 0;
            return 0;
        }

        var pending = Volatile.Read(ref _pending);
        var hasNews = WrittenAt != Volatile.Read(ref _seen) || Environment.TickCount64 - _changedAt < s_patience;
        if (_waking.IsCompleted && (pending > 0 || hasNews)) _waking = WakeAsync(WrittenAt);
        return pending;
    }

    private async Task WakeAsync(long writtenAt)
    {
        try
        {
            Volatile.Write(ref _pending, await _grain.Wake());
            Volatile.Write(ref _seen, writtenAt);
        }
        catch (Exception exception)
        {
            // The next look tries again.
            HostLog.LaneFailed(logger, exception, key);
        }
    }
}
