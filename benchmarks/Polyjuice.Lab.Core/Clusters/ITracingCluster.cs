using Polyjuice.Tracing;

namespace Polyjuice.Lab.Clusters;

/// <summary>A cluster that records traces when it is told to. Members may be called from any thread.</summary>
internal interface ITracingCluster : IBenchmarkCluster
{
    /// <summary>Makes calls again that such a cluster has recorded.</summary>
    ICallTarget CallTarget { get; }

    /// <summary>Records from now on, on all nodes.</summary>
    void StartTrace(TraceRecorderOptions options, ITraceSink sink);

    /// <summary>Records no more, and says what was recorded; completes when it has been written.</summary>
    Task<TraceCounts> StopTraceAsync();
}
