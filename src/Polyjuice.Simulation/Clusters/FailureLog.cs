using Microsoft.Extensions.Logging;
using Polyjuice.Contracts;
using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Runs;

namespace Polyjuice.Simulation.Clusters;

/// <summary>
/// An engine that finds one of its own invariants broken logs that and stops; for a simulation, that is a violation.
/// </summary>
internal sealed class FailureLog(SimulatedCluster cluster, NodeId node) : ILogger
{
    public IDisposable? BeginScope<TState>(TState state) where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel) => cluster.Shape.Trace || logLevel >= LogLevel.Critical;

    public void Log<TState>(
        LogLevel logLevel, EventId eventId, TState state, Exception? exception,
        Func<TState, Exception?, string> formatter)
    {
        if (!IsEnabled(logLevel)) return;
        cluster.TraceLine(() => $"{node} logs {logLevel}: {formatter(state, exception)} {exception?.Message}");
        if (logLevel >= LogLevel.Critical)
            cluster.Fail(
                new SimulationFailedException(
                    "engine-failed", $"{node}: {formatter(state, exception)} {exception}", exception));
    }
}
