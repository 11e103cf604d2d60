using System.Diagnostics;

namespace Polyjuice.Testing;

/// <summary>
/// Waits that are never shorter than asked for. The system's timers cut
/// fractions of a millisecond off, which of a delay of one leaves nothing.
/// </summary>
internal static class AtLeast
{
    /// <summary>Completes when the time has passed, at most about a millisecond after.</summary>
    /// <exception cref="OperationCanceledException">It was cancelled before.</exception>
    public static Task WaitAsync(TimeSpan time, CancellationToken cancellationToken = default) =>
        UntilAsync(Stopwatch.GetTimestamp() + (long)(time.TotalSeconds * Stopwatch.Frequency), cancellationToken);

    /// <summary>Completes when it is that time.</summary>
    /// <param name="due">As <see cref="Stopwatch.GetTimestamp"/> counts.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <exception cref="OperationCanceledException">It was cancelled before.</exception>
    public static async Task UntilAsync(long due, CancellationToken cancellationToken = default)
    {
        for (TimeSpan left; (left = Stopwatch.GetElapsedTime(Stopwatch.GetTimestamp(), due)) > TimeSpan.Zero;)
            await Task.Delay(TimeSpan.FromMilliseconds(Math.Ceiling(left.TotalMilliseconds)), cancellationToken)
                .ConfigureAwait(false);
    }
}
