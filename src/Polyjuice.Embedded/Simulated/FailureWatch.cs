using Microsoft.Extensions.Logging;
using Polyjuice.Embedded.Core;
using Polyjuice.Simulation.Events;

namespace Polyjuice.Embedded.Simulated;

/// <summary>
/// Listens to what host and engine log. What a running system logs and survives (an invariant of the engine that is broken, an
/// exception that nobody awaited) ends a simulated run.
/// </summary>
internal sealed class FailureWatch(SimulatedWorld world, ILoggerFactory inner) : ILoggerFactory
{
    public ILogger CreateLogger(string categoryName) => new Watch(world, inner.CreateLogger(categoryName));

    public void AddProvider(ILoggerProvider provider) => inner.AddProvider(provider);

    public void Dispose()
    {
    }

    private sealed class Watch(SimulatedWorld world, ILogger inner) : ILogger
    {
        public IDisposable? BeginScope<TState>(TState state) where TState : notnull => inner.BeginScope(state);

        public bool IsEnabled(LogLevel logLevel) => logLevel >= LogLevel.Error || world.Options.Trace || inner.IsEnabled(logLevel);

        public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
        {
            world.TraceLine(() => $"{logLevel}: {formatter(state, exception)} {exception?.Message}");
            if (exception is not null && (logLevel == LogLevel.Critical || eventId.Name is nameof(HostLog.WorkFailed) or nameof(HostLog.MessageFailed)))
                world.Fail(new SimulationFailedException("exception", $"{formatter(state, exception)} {exception}", exception));
            if (inner.IsEnabled(logLevel)) inner.Log(logLevel, eventId, state, exception, formatter);
        }
    }
}
