using Microsoft.Extensions.Logging;

namespace Polyjuice.Tests.Publishing.Following;

/// <summary>Keeps the warnings and errors.</summary>
internal sealed class ErrorLog(List<string> errors) : ILogger
{
    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel) => logLevel >= LogLevel.Warning;

    public void Log<TState>(
        LogLevel logLevel, EventId id, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
    {
        if (IsEnabled(logLevel)) errors.Add(formatter(state, exception));
    }
}
