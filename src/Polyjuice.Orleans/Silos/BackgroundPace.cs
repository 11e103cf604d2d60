using System.Diagnostics;

namespace Polyjuice.Orleans.Silos;

/// <summary>
/// Holds background work back to a quarter of one processor, in slices that are short against what a transaction takes
/// notice of. A thread of low priority would not do: while it waits for a processor, a garbage collection that wants to
/// begin waits for it.
/// </summary>
internal sealed class BackgroundPace
{
    /// <summary>Work between two pauses, at least.</summary>
    private static readonly TimeSpan s_slice = TimeSpan.FromMilliseconds(1);

    /// <summary>How much longer a pause is than the work before it.</summary>
    private const int Pauses = 3;

    private long _resumed = Stopwatch.GetTimestamp();

    public async ValueTask PauseAsync(CancellationToken cancellationToken)
    {
        var worked = Stopwatch.GetElapsedTime(_resumed);
        if (worked < s_slice) return;
        await Task.Delay(worked * Pauses, cancellationToken).ConfigureAwait(false);
        _resumed = Stopwatch.GetTimestamp();
    }
}
