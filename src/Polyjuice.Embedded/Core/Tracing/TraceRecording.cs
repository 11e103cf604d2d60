using Polyjuice.Tracing;

namespace Polyjuice.Embedded.Core;

/// <summary>How a cluster's nodes record traces, and where to.</summary>
internal sealed record TraceRecording(TraceRecorderOptions Options, ITraceSink Sink);
