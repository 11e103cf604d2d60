using Polyjuice.Execution;
using Polyjuice.Orleans.Tracing;
using Polyjuice.Tracing;

namespace Polyjuice.Orleans.Silos;

// Recordings of what is accessed here.
internal sealed partial class SiloEngine
{
    private volatile bool _recordsCalls;

    /// <summary>Whether traces have calls, too. Any thread: a call that is under way when that changes is recorded or not.</summary>
    public bool RecordsCalls => _recordsCalls;

    /// <inheritdoc/>
    public void StartTrace(TraceRecorderOptions options, ITraceSink sink)
    {
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(sink);
        using (Turn.Enter()) StartTrace(Engine, options, sink);
    }

    /// <inheritdoc/>
    public async Task<TraceCounts> StopTraceAsync()
    {
        if (_life.Opened is not { } engine) return default;
        Task<TraceCounts> stopping;
        using (Turn.Enter())
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
            HostLog.TraceNotWritable(_logger, exception, files.Folder);
        }
    }

    private void StartTrace(TransactionEngine engine, TraceRecorderOptions options, ITraceSink sink)
    {
        engine.StartTrace(options, sink, Silo.ToString(), TracedRequest.Encoding);
        _recordsCalls = options.RecordsCalls;
    }
}
