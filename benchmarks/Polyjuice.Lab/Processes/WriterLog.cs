using System.Globalization;
using Microsoft.Extensions.Logging;

namespace Polyjuice.Lab.Tool.Processes;

/// <summary>Writes warnings and errors as lines, each with its time. As thread-safe as its writer.</summary>
internal sealed class WriterLog(TextWriter writer) : ILoggerProvider
{
    /// <inheritdoc/>
    public ILogger CreateLogger(string categoryName) => new Logger(writer, categoryName);

    /// <inheritdoc/>
    public void Dispose()
    {
    }

    private sealed class Logger(TextWriter writer, string category) : ILogger
    {
        public IDisposable? BeginScope<TState>(TState state) where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => logLevel >= LogLevel.Warning;

        public void Log<TState>(
            LogLevel logLevel, EventId eventId, TState state, Exception? exception,
            Func<TState, Exception?, string> formatter)
        {
            if (!IsEnabled(logLevel)) return;
            var time = DateTime.UtcNow.ToString("HH:mm:ss.fff", CultureInfo.InvariantCulture);
            try
            {
                writer.WriteLine($"{time} {logLevel} {category}: {formatter(state, exception)} {exception}");
            }
            catch (ObjectDisposedException)
            {
                // Something of the client outlives it.
            }
        }
    }
}
