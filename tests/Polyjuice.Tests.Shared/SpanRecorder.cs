using System.Diagnostics;

namespace Polyjuice.Tests.Shared;

/// <summary>
/// Begins an activity, and keeps what ends within its trace: other tests' activities are theirs. Thread-safe, but for
/// its making and disposal, which belong to one flow.
/// </summary>
public sealed class SpanRecorder : IDisposable
{
    private const string OwnSource = "Polyjuice.Tests";
    private static readonly ActivitySource s_source = new(OwnSource);

    private readonly ActivityListener _listener;
    private readonly Lock _gate = new();
    private readonly List<Activity> _ended = [];
    private TaskCompletionSource _more = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <param name="sources">Whose activities, the test's own besides.</param>
    public SpanRecorder(params string[] sources)
    {
        var parent = new ActivityContext(
            ActivityTraceId.CreateRandom(), ActivitySpanId.CreateRandom(), ActivityTraceFlags.Recorded);
        var trace = $"-{parent.TraceId}-";
        _listener = new()
        {
            ShouldListenTo = source => source.Name == OwnSource || sources.Contains(source.Name),
            Sample = (ref ActivityCreationOptions<ActivityContext> options) =>
                Of(options.Parent.TraceId == parent.TraceId),
            SampleUsingParentId = (ref ActivityCreationOptions<string> options) =>
                Of(options.Parent.Contains(trace, StringComparison.Ordinal)),
            ActivityStopped = Ended,
        };
        ActivitySource.AddActivityListener(_listener);
        Root = s_source.StartActivity("test", ActivityKind.Internal, parent)!;

        static ActivitySamplingResult Of(bool isOurs) =>
            isOurs ? ActivitySamplingResult.AllDataAndRecorded : ActivitySamplingResult.None;
    }

    /// <summary>What it has begun: ambient until it is disposed of.</summary>
    public Activity Root { get; }

    /// <summary>What has ended so far, in that order.</summary>
    public IReadOnlyList<Activity> All
    {
        get
        {
            lock (_gate) return [.. _ended];
        }
    }

    /// <summary>Those that have ended so far with this name.</summary>
    public Activity[] Named(string name) => [.. All.Where(activity => activity.OperationName == name)];

    /// <summary>Those that are part of another one.</summary>
    public Activity[] Below(Activity activity) => [.. All.Where(part => part.ParentSpanId == activity.SpanId)];

    /// <summary>Waits until one has ended.</summary>
    /// <param name="isIt">Which.</param>
    public async Task<Activity> EndedAsync(Func<Activity, bool> isIt)
    {
        while (true)
        {
            Task more;
            lock (_gate)
            {
                if (_ended.Find(activity => isIt(activity)) is { } found) return found;
                more = _more.Task;
            }

            await more.WaitAsync(TimeSpan.FromSeconds(30));
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        Root.Dispose();
        _listener.Dispose();
    }

    private void Ended(Activity activity)
    {
        if (activity.TraceId != Root.TraceId) return;
        TaskCompletionSource more;
        lock (_gate)
        {
            _ended.Add(activity);
            more = _more;
            _more = new(TaskCreationOptions.RunContinuationsAsynchronously);
        }

        more.SetResult();
    }
}
