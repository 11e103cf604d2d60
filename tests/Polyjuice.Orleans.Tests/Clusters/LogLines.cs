using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;

namespace Polyjuice.Orleans.Tests.Clusters;

/// <summary>
/// Keeps the lines of one log category that silos write, with their exceptions' messages. Thread-safe.
/// </summary>
internal sealed class LogLines(string category) : ILoggerProvider
{
    private readonly ConcurrentQueue<(LogLevel Level, string Text)> _lines = new();
    private readonly ConcurrentQueue<(LogLevel Level, TaskCompletionSource Next)> _awaited = new();

    public IEnumerable<(LogLevel Level, string Text)> All => _lines;

    /// <summary>Completes when the next line of a level is written.</summary>
    public Task NextAsync(LogLevel level)
    {
        var next = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        _awaited.Enqueue((level, next));
        return next.Task.WaitAsync(TimeSpan.FromMinutes(2));
    }

    public ILogger CreateLogger(string categoryName) => new Logger(this, categoryName == category);

    public void Dispose()
    {
    }

    private sealed class Logger(LogLines lines, bool keeps) : ILogger
    {
        public IDisposable? BeginScope<TState>(TState state) where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => keeps;

        public void Log<TState>(
            LogLevel logLevel, EventId eventId, TState state, Exception? exception,
            Func<TState, Exception?, string> formatter)
        {
            if (!keeps) return;
            lines._lines.Enqueue((logLevel, $"{formatter(state, exception)} {exception?.Message}"));
            foreach (var (level, next) in lines._awaited)
            {
                if (level == logLevel) next.TrySetResult();
            }
        }
    }
}
