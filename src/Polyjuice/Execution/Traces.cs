using Polyjuice.Policies;
using Polyjuice.Tracing;

namespace Polyjuice.Execution;

/// <summary>Who records what is accessed here, if anybody does.</summary>
internal sealed class Traces(TransactionEngine engine, EngineContext context)
{
    private int _tracedParticipants;
    private int _tracedStateWindows;

    /// <summary>Who records; <see langword="null"/> when nobody does, which is all that it costs then.</summary>
    public TraceRecorder? Recorder { get; private set; }

    /// <summary>What the present recording has done so far; nothing when there is none.</summary>
    public TraceCounts Counts => Recorder?.Counts ?? default;

    /// <summary>Records accesses and attempts from now on, into files of this node's own.</summary>
    /// <param name="options">Validated here; must not change afterwards.</param>
    /// <param name="sink">Where the files go.</param>
    /// <param name="name">The node's name for people.</param>
    /// <param name="argumentEncoding">How the host encodes arguments of calls, by which whoever makes them again knows whether it can read them; empty if it encodes none.</param>
    /// <exception cref="System.ComponentModel.DataAnnotations.ValidationException">An option is out of its bounds.</exception>
    /// <exception cref="InvalidOperationException">It records already.</exception>
    /// <exception cref="NotSupportedException">Calls are to be recorded, and the host encodes no arguments.</exception>
    public void Start(TraceRecorderOptions options, ITraceSink sink, string name, string argumentEncoding = "")
    {
        ObjectDisposedException.ThrowIf(context.IsStopped, engine);
        if (Recorder is not null) throw new InvalidOperationException($"{context.Node} records a trace already; stop that first.");
        if (options.RecordsCalls && argumentEncoding.Length == 0) throw new NotSupportedException($"This host encodes no arguments of calls: leave {nameof(TraceRecorderOptions)}.{nameof(TraceRecorderOptions.RecordsCalls)} off.");
        Recorder = new TraceRecorder(engine, options, sink, new RecorderIdentity(context.Node, name, argumentEncoding), _tracedParticipants, _tracedStateWindows);
    }

    /// <summary>Ends the recording, if there is one; completes when all of it has been written. What fails then is logged.</summary>
    /// <returns>What was recorded in all.</returns>
    public async Task<TraceCounts> StopAsync()
    {
        if (Recorder is not { } trace) return default;
        Recorder = null;
        _tracedParticipants = trace.Named;
        _tracedStateWindows = trace.StateWindows;
        await trace.StopAsync();
        return trace.Counts;
    }
}
