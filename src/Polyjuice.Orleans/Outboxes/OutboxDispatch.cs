using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Orleans.Configuration;
using Orleans.Serialization;

namespace Polyjuice.Orleans.Outboxes;

/// <summary>What lanes need to send messages: senders, bounds, a clock. Thread-safe.</summary>
internal sealed class OutboxDispatch(
    IServiceProvider services, Serializer serializer, IOptions<PolyjuiceOptions> options, OutboxMetrics metrics,
    ILoggerFactory loggers)
{
    /// <summary>Bounds.</summary>
    public OutboxOptions Options => options.Value.Outbox;

    /// <summary>What is counted.</summary>
    public OutboxMetrics Metrics => metrics;

    /// <summary>For what goes wrong.</summary>
    public ILogger Logger { get; } = loggers.CreateLogger("Polyjuice.Orleans");

    /// <summary>The sender of a name, if the silo has it.</summary>
    public IOutboxSender? Find(string name) => services.GetKeyedService<IOutboxSender>(name);

    /// <summary>A message as its sender gets it.</summary>
    /// <param name="lane">The lane's key.</param>
    /// <param name="entry">What is recorded.</param>
    /// <param name="attempt">Which attempt it is.</param>
    public OutboxMessage MessageOf(string lane, OutboxEntry entry, int attempt) => new(
        IdOf(lane, entry.Number), entry.Source, entry.Sender, serializer.Deserialize<object>(entry.Content)!,
        TimeOf(entry), attempt);

    /// <summary>A message's id.</summary>
    /// <param name="lane">The lane's key.</param>
    /// <param name="number">Its number there.</param>
    public static string IdOf(string lane, long number) => FormattableString.Invariant($"{lane}/{number}");

    /// <summary>What to tell of a sender that is not there.</summary>
    /// <param name="name">Its name.</param>
    public static string NoSender(string name) =>
        $"This silo has no outbox sender '{name}': add it with AddOutboxSender().";

    /// <summary>When a message's transaction had begun.</summary>
    public static DateTimeOffset TimeOf(OutboxEntry entry) => DateTimeOffset.UnixEpoch.AddMicroseconds(entry.BeganAt);

    /// <summary>How long to wait after so many attempts that failed.</summary>
    public TimeSpan PauseAfter(int attempts)
    {
        var pause = Options.RetryDelay * Math.Pow(2, Math.Min(attempts - 1, 30));
        return pause < Options.RetryDelayMax ? pause : Options.RetryDelayMax;
    }
}
