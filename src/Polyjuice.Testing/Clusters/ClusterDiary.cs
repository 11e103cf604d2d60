using System.Collections.Concurrent;
using System.Globalization;
using Microsoft.Extensions.Logging;

namespace Polyjuice.Testing;

/// <summary>The last warnings and errors that a cluster's silos and client have logged. Thread-safe.</summary>
internal sealed class ClusterDiary
{
    /// <summary>Older ones are forgotten.</summary>
    private const int LinesMax = 20_000;

    private readonly ConcurrentQueue<string> _lines = new();

    /// <summary>The lines, oldest first.</summary>
    public IReadOnlyList<string> Lines => [.. _lines];

    /// <summary>Where one process logs to.</summary>
    public ILoggerProvider Of(string process) => new Provider(this, process);

    private void Add(string line)
    {
        _lines.Enqueue(line);
        while (_lines.Count > LinesMax) _lines.TryDequeue(out _);
    }

    private sealed class Provider(ClusterDiary diary, string process) : ILoggerProvider
    {
        public ILogger CreateLogger(string categoryName) => new Logger(diary, process, categoryName);

        public void Dispose()
        {
        }
    }

    private sealed class Logger(ClusterDiary diary, string process, string category) : ILogger
    {
        public IDisposable? BeginScope<TState>(TState state) where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => logLevel >= LogLevel.Warning;

        public void Log<TState>(
            LogLevel logLevel, EventId eventId, TState state, Exception? exception,
            Func<TState, Exception?, string> formatter)
        {
            if (!IsEnabled(logLevel)) return;
            var time = DateTime.UtcNow.ToString("HH:mm:ss.fff", CultureInfo.InvariantCulture);
            diary.Add(
                $"{time} {process} {logLevel} {category}: "
                + $"{formatter(state, exception)}{(exception is null ? "" : $" {exception}")}");
        }
    }
}
