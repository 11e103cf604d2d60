using System.Globalization;
using Microsoft.Extensions.Logging;

namespace Polyjuice.Cli.Training.Trainer;

/// <summary>Logs into the command's output, a line for each entry. Thread-safe.</summary>
/// <param name="output">Where to.</param>
/// <param name="time">The clock of the lines, in UTC.</param>
internal sealed class WriterLoggerProvider(TextWriter output, TimeProvider time) : ILoggerProvider
{
    private readonly Lock _gate = new();

    public ILogger CreateLogger(string categoryName) => new Writer(this);

    public void Dispose()
    {
        // The output is not ours.
    }

    private void Write(LogLevel level, string text, Exception? exception)
    {
        var cause = exception is null || text.Contains(exception.Message, StringComparison.Ordinal)
            ? ""
            : $" ({exception.Message})";
        lock (_gate)
            output.WriteLine(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"{time.GetUtcNow():yyyy-MM-dd'T'HH:mm:ss'Z'} {NameOf(level)} {text}{cause}"));
    }

    private static string NameOf(LogLevel level) =>
        level switch
        {
            LogLevel.Warning => "warn",
            LogLevel.Error or LogLevel.Critical => "fail",
            LogLevel.Information => "info",
            _ => "debug"
        };

    private sealed class Writer(WriterLoggerProvider provider) : ILogger
    {
        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => logLevel != LogLevel.None;

        public void Log<TState>(
            LogLevel logLevel, EventId eventId, TState state, Exception? exception,
            Func<TState, Exception?, string> formatter) =>
            provider.Write(logLevel, formatter(state, exception), exception);
    }
}
