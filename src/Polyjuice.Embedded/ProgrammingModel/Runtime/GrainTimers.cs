using System.Diagnostics.CodeAnalysis;

namespace Orleans.Runtime;

/// <summary>A timer whose callback runs on its grain's turns. Disposing of it stops it.</summary>
public interface IGrainTimer : IDisposable
{
    /// <summary>Sets both times anew.</summary>
    /// <param name="dueTime">Until the next tick; infinite stops the timer.</param>
    /// <param name="period">From the end of one tick to the next; infinite for a single tick.</param>
    void Change(TimeSpan dueTime, TimeSpan period);
}

/// <summary>How a grain timer behaves.</summary>
public readonly struct GrainTimerCreationOptions()
{
    /// <summary>Creates it with both times.</summary>
    [SetsRequiredMembers]
    public GrainTimerCreationOptions(TimeSpan dueTime, TimeSpan period) : this()
    {
        DueTime = dueTime;
        Period = period;
    }

    /// <summary>Until the first tick.</summary>
    public required TimeSpan DueTime { get; init; }

    /// <summary>From the end of one tick to the next; infinite for a single tick.</summary>
    public required TimeSpan Period { get; init; }

    /// <summary>Whether ticks run while requests of a grain that is not reentrant do. Default: no.</summary>
    public bool Interleave { get; init; }

    /// <summary>Whether ticks count as use, so that the activation is not collected as idle. Default: no.</summary>
    public bool KeepAlive { get; init; }
}
