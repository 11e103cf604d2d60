using Polyjuice.Contracts;
using Polyjuice.Waits;

namespace Polyjuice.Partitions;

/// <summary>
/// Whether a partition's log does what it is asked for: since when it has not, and why. A failure that the next try
/// ends is a hiccup; one that outlasts <see cref="EngineOptions.ResendMicroseconds"/> is an outage, in which nothing is
/// let in that would need the log. Either is said once, however often it is tried. On its engine's turn.
/// </summary>
/// <param name="shared">The owner's engine.</param>
/// <param name="partition">Whose log it is.</param>
/// <param name="location">Where the log is; empty if that is not known.</param>
internal sealed class LogHealth(OwnerParts shared, int partition, string location)
{
    private long _since;
    private int _failures;

    /// <summary>
    /// Which log failed when it was last tried, and what it said; <see langword="null"/> if it did not.
    /// </summary>
    public string? Failure { get; private set; }

    /// <summary>Whether it has failed for so long that those who come now had better hear of it.</summary>
    public bool IsOut { get; private set; }

    /// <summary>
    /// How long to wait before it is tried again, in microseconds: not for long, because all that is here waits for it.
    /// </summary>
    public long Pause => Math.Min(1_000L << Math.Min(_failures, 8), shared.Options.ResendMicroseconds / 2);

    // Made when it is needed: there may be many rows, and nearly all work.
    private string Name => shared.Names.Describe(partition);

    /// <summary>It has failed.</summary>
    /// <param name="exception">What it said.</param>
    /// <param name="position">Of the batch that was to be appended; -1 where the log was read.</param>
    /// <returns>Whether the outage has begun with this.</returns>
    public bool Failed(Exception exception, long position)
    {
        if (Failure is null) (_since, _failures) = (shared.Now, 0);
        _failures++;
        shared.Statistics.AppendFailures++;
        Failure = $"{Name}{(location.Length == 0 ? "" : $" in {location}")}: {exception.Message}";
        if (_failures == 1) shared.Log.AppendFailed(exception, Name, position);
        else shared.Log.AppendFailedAgain(exception, Name, position, _failures);
        if (IsOut || shared.Now - _since < shared.Options.ResendMicroseconds) return false;
        IsOut = true;
        shared.Statistics.LogsOut++;
        shared.Log.LogOut(exception, Name, (shared.Now - _since) / 1_000);
        return true;
    }

    /// <summary>It has answered.</summary>
    public void Answered()
    {
        if (Failure is null) return;
        if (IsOut) shared.Log.LogWorks(Name, (shared.Now - _since) / 1_000, _failures);
        End();
    }

    /// <summary>Nobody here asks it any more.</summary>
    public void End()
    {
        Failure = null;
        if (!IsOut) return;
        IsOut = false;
        shared.Statistics.LogsOut--;
    }
}
