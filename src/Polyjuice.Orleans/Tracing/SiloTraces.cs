using Microsoft.Extensions.Logging;
using Polyjuice.Orleans.Silos;
using Polyjuice.Tracing;

namespace Polyjuice.Orleans.Tracing;

/// <summary>
/// Recordings of what is accessed on this silo. Each engine writes files of its own to the one sink, and all begin and
/// end together. Thread-safe.
/// </summary>
internal sealed class SiloTraces(IReadOnlyList<SiloEngine> engines, ILogger logger)
{
    private readonly Lock _gate = new();
    private volatile bool _recordsCalls;

    /// <summary>Whether traces have calls, too. A call under way when that changes is recorded or not.</summary>
    public bool RecordsCalls => _recordsCalls;

    /// <summary>Starts the recording that options ask for, as the engines begin.</summary>
    public void StartConfigured(TraceRecorderOptions options, ITraceSink sink)
    {
        SayUnwritable(sink);
        StartAll(options, sink);
    }

    /// <inheritdoc cref="IObservedSilo.StartTrace"/>
    public void Start(TraceRecorderOptions options, ITraceSink sink)
    {
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(sink);
        StartAll(options, sink);
    }

    /// <inheritdoc cref="IObservedSilo.StopTraceAsync"/>
    public async Task<TraceCounts> StopAsync()
    {
        var stopping = new List<Task<TraceCounts>>();
        lock (_gate)
        {
            _recordsCalls = false;
            foreach (var engine in engines)
            {
                if (engine.Life.Opened is not { } recording) continue;
                using (engine.Turn.Enter()) stopping.Add(recording.StopTraceAsync());
            }
        }

        var counts = await Task.WhenAll(stopping).ConfigureAwait(false);
        return counts.Aggregate(default(TraceCounts), static (sum, one) => sum.With(one));
    }

    // What can't be written is found out with the first full block, which may take an hour: too late for who starts it.
    private void SayUnwritable(ITraceSink sink)
    {
        if (sink is not FileTraceSink files) return;
        try
        {
            files.EnsureWritable();
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            HostLog.TraceNotWritable(logger, exception, files.Folder);
        }
    }

    // What one refuses all do, and the first is the first to: none is left recording alone.
    private void StartAll(TraceRecorderOptions options, ITraceSink sink)
    {
        lock (_gate)
        {
            foreach (var engine in engines)
            {
                using (engine.Turn.Enter())
                    engine.Engine.StartTrace(options, sink, engine.Self.ToString(), TracedRequest.Encoding);
            }

            _recordsCalls = options.RecordsCalls;
        }
    }
}
