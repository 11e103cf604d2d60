using Polyjuice.Embedded.Core;
using Polyjuice.Tracing;

namespace Polyjuice.Embedded;

public sealed partial class EmbeddedCluster
{
    /// <summary>Makes calls again that were recorded (<see cref="TraceRecorderOptions.RecordsCalls"/>).</summary>
    public EmbeddedCallTarget CallTarget => field ??= new EmbeddedCallTarget(this);

    /// <summary>Records what all nodes access from now on, and nodes that start later; completes when all record.</summary>
    /// <param name="options">How; must not change afterwards.</param>
    /// <param name="sink">Where to.</param>
    /// <exception cref="Orleans.Runtime.OrleansConfigurationException">An option is out of range.</exception>
    /// <exception cref="InvalidOperationException">The cluster records already.</exception>
    public async Task StartTraceAsync(TraceRecorderOptions options, ITraceSink sink)
    {
        ArgumentNullException.ThrowIfNull(sink);
        OptionsCheck.Ranges(options);
        await _control.WaitAsync().ConfigureAwait(false);
        try
        {
            ObjectDisposedException.ThrowIf(_isStopped, this);
            if (Runtime.Traces is not null) throw new InvalidOperationException("The cluster records a trace already; stop that first.");
            Runtime.Traces = new TraceRecording(options, sink);
            foreach (var node in Directory.Nodes)
            {
                await node.Loop.RunAsync(() =>
                {
                    node.Engine.StartTrace(options, sink, node.Name, TracedCall.Encoding);
                    return Task.CompletedTask;
                }).ConfigureAwait(false);
            }
        }
        finally
        {
            _control.Release();
        }
    }

    /// <summary>Ends the recording, if there is one; completes when all of it has been written.</summary>
    /// <returns>What the nodes that run now have recorded in all.</returns>
    public async Task<TraceCounts> StopTraceAsync()
    {
        await _control.WaitAsync().ConfigureAwait(false);
        try
        {
            Runtime.Traces = null;
            var counts = default(TraceCounts);
            foreach (var node in Directory.Nodes) counts = counts.With(await node.Loop.RunAsync(() => node.Engine.StopTraceAsync()).ConfigureAwait(false));
            return counts;
        }
        finally
        {
            _control.Release();
        }
    }
}
