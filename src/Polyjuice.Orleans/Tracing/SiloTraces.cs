using Microsoft.Extensions.Logging;
using Polyjuice.Orleans.Silos;
using Polyjuice.Orleans.Turns;
using Polyjuice.Tracing;

namespace Polyjuice.Orleans.Tracing;

/// <summary>Recordings of what is accessed on this silo. Thread-safe.</summary>
internal sealed class SiloTraces(SiloIdentity self, EngineTurn turn, EngineLife life, ILogger logger)
{
    private volatile bool _recordsCalls;

    /// <summary>Whether traces have calls, too. A call under way when that changes is recorded or not.</summary>
    public bool RecordsCalls => _recordsCalls;

    /// <summary>Starts the recording that options ask for, as the engine begins. On its turn.</summary>
    public void StartConfigured(TraceRecorderOptions options, ITraceSink sink)
    {
        SayUnwritable(sink);
        StartOnTurn(options, sink);
    }

    /// <inheritdoc cref="IPolyjuiceSilo.StartTrace"/>
    public void Start(TraceRecorderOptions options, ITraceSink sink)
    {
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(sink);
        using (turn.Enter()) StartOnTurn(options, sink);
    }

    /// <inheritdoc cref="IPolyjuiceSilo.StopTraceAsync"/>
    public async Task<TraceCounts> StopAsync()
    {
        if (life.Opened is not { } engine) return default;
        Task<TraceCounts> stopping;
        using (turn.Enter())
        {
            _recordsCalls = false;
            stopping = engine.StopTraceAsync();
        }

        return await stopping.ConfigureAwait(false);
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

    private void StartOnTurn(TraceRecorderOptions options, ITraceSink sink)
    {
        life.Engine.StartTrace(options, sink, self.Silo.ToString(), TracedRequest.Encoding);
        _recordsCalls = options.RecordsCalls;
    }
}
