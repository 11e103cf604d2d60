using Microsoft.Extensions.Logging;

namespace Polyjuice.Tests.Publishing.Following;

/// <summary>Keeps the warnings and errors, and what is said beside them.</summary>
internal sealed class ErrorLog(List<string> errors, List<string>? notices = null) : ILogger
{
    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel) => logLevel >= LogLevel.Information;

    public void Log<TState>(
        LogLevel logLevel, EventId id, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
    {
        var lines = logLevel >= LogLevel.Warning ? errors : notices;
        if (IsEnabled(logLevel)) lines?.Add(formatter(state, exception));
    }
}
