using Polyjuice.Agents;

namespace Polyjuice.Tracing;

/// <summary>Recordings of what an engine does. On its turn.</summary>
internal static class EngineTraces
{
    extension(EngineParts engine)
    {
        /// <summary>What the present recording has done so far; nothing when there is none.</summary>
        public TraceCounts TraceCounts => (engine.Recording.Recorder as TraceRecorder)?.Counts ?? default;

        /// <summary>Records accesses and attempts from now on, into files of this node's own.</summary>
        /// <param name="options">Validated here; must not change afterwards.</param>
        /// <param name="sink">Where the files go.</param>
        /// <param name="name">The node's name for people.</param>
        /// <param name="argumentEncoding">
        /// How the host encodes arguments of calls, by which whoever makes them
        /// again knows whether it can read them; empty if it encodes none.
        /// </param>
        /// <exception cref="System.ComponentModel.DataAnnotations.ValidationException">
        /// An option is out of its bounds.
        /// </exception>
        /// <exception cref="InvalidOperationException">It records already.</exception>
        /// <exception cref="NotSupportedException">
        /// Calls are to be recorded, and the host encodes no arguments.
        /// </exception>
        public void StartTrace(TraceRecorderOptions options, ITraceSink sink, string name, string argumentEncoding = "")
        {
            ObjectDisposedException.ThrowIf(engine.IsStopped, engine);
            var recording = engine.Recording;
            if (recording.Recorder is not null)
                throw new InvalidOperationException($"{engine.Node} records a trace already; stop that first.");
            if (options.RecordsCalls && argumentEncoding.Length == 0)
                throw new NotSupportedException(
                    "This host encodes no arguments of calls: leave "
                    + $"{nameof(TraceRecorderOptions)}.{nameof(TraceRecorderOptions.RecordsCalls)} off.");
            var identity = new RecorderIdentity(engine.Node, name, argumentEncoding);
            var recorder = new TraceRecorder(
                engine, options, sink, identity, recording.Participants, recording.StateWindows);
            recording.Recorder = recorder;
            engine.Owners.Recorder = recorder;
        }

        /// <summary>
        /// Ends the recording, if there is one; completes when all of it has been written. What fails then is logged.
        /// </summary>
        /// <returns>What was recorded in all.</returns>
        public async Task<TraceCounts> StopTraceAsync()
        {
            if (engine.Recording.Recorder is not TraceRecorder trace) return default;
            engine.Recording.Recorder = null;
            engine.Owners.Recorder = null;
            engine.Recording.Participants = trace.Named;
            engine.Recording.StateWindows = trace.StateWindows;
            await trace.StopAsync();
            return trace.Counts;
        }
    }
}
