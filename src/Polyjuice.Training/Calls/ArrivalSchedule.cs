using Polyjuice.Training.Traces;

namespace Polyjuice.Training.Calls;

/// <summary>
/// When calls are due that arrive as they were recorded: since the first
/// of them, without the time between windows, of which nothing is known.
/// </summary>
/// <param name="trace">Of calls.</param>
/// <param name="speed">How many times as fast as they were recorded; above 0.</param>
internal sealed class ArrivalSchedule(AccessTrace trace, double speed)
{
    private const double MicrosecondsPerSecond = 1e6;

    private readonly long _first = trace.Transactions.IsEmpty ? 0 : trace.Transactions[0].ArrivalMicroseconds;
    private int _window;
    private long _gaps;

    /// <summary>When a transaction's call is due, since the first one. To be asked for in their order.</summary>
    public TimeSpan DueOf(int transaction)
    {
        var arrival = trace.Transactions[transaction].ArrivalMicroseconds;
        for (; _window + 1 < trace.Windows.Count && arrival >= trace.Windows[_window + 1].StartMicroseconds; _window++)
        {
            // Before the first call, no time is passed over: it begins the replay.
            var from = Math.Max(_first, trace.Windows[_window].EndMicroseconds);
            _gaps += Math.Max(0, trace.Windows[_window + 1].StartMicroseconds - from);
        }

        return TimeSpan.FromSeconds(Math.Max(0, arrival - _first - _gaps) / MicrosecondsPerSecond / speed);
    }
}
