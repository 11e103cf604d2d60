using Microsoft.Extensions.Logging;

namespace Polyjuice.Orleans.Outboxes;

/// <summary>
/// A state of a lane, of messages to be sent or of parked ones, as its silo watches it: it is read when something was
/// written to it. For one thread, but for what the reading answers.
/// </summary>
/// <param name="lane">The lane's key.</param>
/// <param name="read">Reads what is in it.</param>
/// <param name="isReadWhileAny">Whether it is read at each look for as long as there is anything in it.</param>
/// <param name="time">The clock.</param>
/// <param name="logger">For what fails.</param>
internal sealed class WatchedState(
    string lane, Func<Task<LaneReport>> read, bool isReadWhileAny, TimeProvider time, ILogger logger)
{
    /// <summary>
    /// For so long after a change it is read all the same: what the reading sees may be ordered before what was just
    /// written, by the clocks' skew, and what is decided late is seen late.
    /// </summary>
    public static readonly TimeSpan Patience = TimeSpan.FromSeconds(2);

    private long _seen;
    private long _writtenAt;
    private long _changedAt;
    private LaneReport _report = LaneReport.Empty;
    private Task _reading = Task.CompletedTask;

    /// <summary>The number of the latest look that has found it on this silo.</summary>
    public long FoundAt { get; private set; }

    /// <summary>What was in it when it was last read.</summary>
    public LaneReport Report => Volatile.Read(ref _report);

    /// <summary>It is here.</summary>
    /// <param name="look">The number of the look.</param>
    /// <param name="writtenAt">The timestamp of its last version, which may not be decided yet.</param>
    public void Found(long look, long writtenAt)
    {
        FoundAt = look;
        if (writtenAt == _writtenAt) return;
        (_writtenAt, _changedAt) = (writtenAt, time.GetTimestamp());
    }

    /// <summary>Has it read if there may be news.</summary>
    public void Look()
    {
        if (!_reading.IsCompleted) return;
        var hasNews = _writtenAt != Volatile.Read(ref _seen) || time.GetElapsedTime(_changedAt) < Patience;
        if (hasNews || (isReadWhileAny && Report.Messages > 0)) _reading = ReadAsync(_writtenAt);
    }

    private async Task ReadAsync(long writtenAt)
    {
        try
        {
            Volatile.Write(ref _report, await read());
            Volatile.Write(ref _seen, writtenAt);
        }
        catch (Exception exception)
        {
            // The next look tries again.
            HostLog.LaneFailed(logger, exception, lane);
        }
    }
}
