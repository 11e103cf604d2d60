using Polyjuice.Orleans.Tracing;
using Polyjuice.Tracing;

namespace Polyjuice.Testing;

public sealed partial class PolyjuiceTestCluster
{
    /// <summary>
    /// Makes calls again that were recorded (<see cref="TraceRecorderOptions.RecordsCalls"/>), on this cluster.
    /// </summary>
    internal ICallTarget CallTarget => field ??= new OrleansCallTarget(Client);

    /// <summary>Records what all silos that run now access, from now on; each silo writes files of its own.</summary>
    /// <param name="options">How; must not change afterwards.</param>
    /// <param name="sink">Where to.</param>
    /// <exception cref="InvalidOperationException">A silo records already.</exception>
    internal void StartTrace(TraceRecorderOptions options, ITraceSink sink)
    {
        _traceSink = sink;
        foreach (var silo in Silos) silo.Observed.StartTrace(options, sink);
    }

    /// <summary>Ends the recording, if there is one; completes when all of it has been written.</summary>
    /// <returns>What the silos that run now have recorded in all.</returns>
    internal async Task<TraceCounts> StopTraceAsync()
    {
        var counts = default(TraceCounts);
        foreach (var silo in Silos) counts = counts.With(await silo.Observed.StopTraceAsync().ConfigureAwait(false));
        return counts;
    }
}
