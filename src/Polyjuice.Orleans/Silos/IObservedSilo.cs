using Polyjuice.Contracts;
using Polyjuice.Tracing;

namespace Polyjuice.Orleans.Silos;

/// <summary>
/// What health checks, test clusters and the laboratory ask of a silo, beyond what those who operate it do. A service
/// of every silo with <c>UsePolyjuice()</c>. Thread-safe; calls no grain.
/// </summary>
internal interface IObservedSilo : IPolyjuiceSilo
{
    /// <summary>
    /// The counters of the silo's engines, summed as they are now; <see langword="null"/> as long as the silo has not
    /// opened its logs.
    /// </summary>
    EngineStatistics? Statistics { get; }

    /// <summary>
    /// Records what this silo's transactions access from now on, into files of this silo's own. A recording that
    /// <c>PolyjuiceOptions.TraceSink</c> has started counts as well.
    /// </summary>
    /// <param name="options">How; must not change afterwards.</param>
    /// <param name="sink">Where to.</param>
    /// <exception cref="System.ComponentModel.DataAnnotations.ValidationException">
    /// An option is out of its bounds.
    /// </exception>
    /// <exception cref="InvalidOperationException">
    /// It records already, or has not opened its logs yet, or has stopped.
    /// </exception>
    void StartTrace(TraceRecorderOptions options, ITraceSink sink);

    /// <summary>
    /// Ends the recording, if there is one; completes when all of it has been written. What fails then is logged.
    /// </summary>
    /// <returns>What was recorded in all; nothing where there was no recording.</returns>
    Task<TraceCounts> StopTraceAsync();
}
