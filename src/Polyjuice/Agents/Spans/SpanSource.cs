using System.Diagnostics;

namespace Polyjuice.Agents.Spans;

/// <summary>The activity source <c>Polyjuice</c>, and how its activities begin and end. Thread-safe.</summary>
/// <remarks>
/// An engine's turn belongs to everybody: an activity that became the ambient one there would be the parent of what the
/// turn does for others next. So each is handed its parent, and leaves <see cref="Activity.Current"/> as it was.
/// </remarks>
internal static class SpanSource
{
    private static readonly ActivitySource s_source = new("Polyjuice");

    /// <summary>Whether anybody listens; all that is asked where nobody does.</summary>
    public static bool IsOn => s_source.HasListeners();

    /// <summary>Begins one.</summary>
    /// <param name="name">Its name, one of few.</param>
    /// <param name="parent">What it is part of; the ambient activity, if there is one, by default.</param>
    /// <param name="at">When, on the engine's clock, in microseconds since 1970.</param>
    /// <param name="link">What it has to do with besides; <see langword="default"/> for nothing.</param>
    /// <param name="remote">What it is part of, if that is on another node.</param>
    /// <returns><see langword="null"/> if nobody wants it.</returns>
    public static Activity? Start(
        string name, Activity? parent, long at, ActivityContext link = default, ActivityContext remote = default)
    {
        using var ambient = new KeptContext();
        if (parent is not null) Activity.Current = parent;
        ActivityLink[]? links = link == default ? null : [new(link)];
        return s_source.StartActivity(ActivityKind.Internal, remote, null, links, TimeOf(at), name);
    }

    /// <summary>Ends one.</summary>
    /// <param name="activity">Which.</param>
    /// <param name="at">When, as for <see cref="Start"/>.</param>
    public static void Stop(Activity activity, long at)
    {
        using var ambient = new KeptContext();
        activity.SetEndTime(TimeOf(at).UtcDateTime);
        activity.Stop();
    }

    /// <summary>Runs a body to which an activity is the ambient one.</summary>
    public static Task Run(Activity activity, ITransactionBody body, CallFrame frame)
    {
        using var ambient = new KeptContext();
        Activity.Current = activity;
        return body.RunAsync(frame);
    }

    private static DateTimeOffset TimeOf(long microseconds) => DateTimeOffset.UnixEpoch.AddMicroseconds(microseconds);

    /// <summary>Puts back what was ambient, also an activity that has ended, which no setter takes.</summary>
    private readonly ref struct KeptContext()
    {
        private readonly ExecutionContext? _context = ExecutionContext.Capture();
        private readonly Activity? _activity = Activity.Current;

        public void Dispose()
        {
            if (_context is not null) ExecutionContext.Restore(_context);
            else Activity.Current = _activity;
        }
    }
}
