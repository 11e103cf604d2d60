using System.Diagnostics.Metrics;
using Polyjuice.Diagnostics;

namespace Polyjuice.Orleans.Outboxes;

/// <summary>What a silo's lanes have sent, and have in hand. Thread-safe.</summary>
internal sealed class OutboxMetrics : IDisposable
{
    private readonly Counter<long> _sent;
    private readonly Counter<long> _failures;
    private readonly Counter<long> _parked;
    private LaneReport _pending = LaneReport.Empty;
    private LaneReport _present = LaneReport.Empty;

    /// <param name="meters">The host's, if it has one.</param>
    public OutboxMetrics(IMeterFactory? meters = null)
    {
        Meter = PolyjuiceMeter.Of(meters);
        _sent = Meter.CreateCounter<long>(
            "polyjuice.outbox.sent", "{message}", "Messages of outboxes that senders have taken.");
        _failures = Meter.CreateCounter<long>(
            "polyjuice.outbox.failures", "{attempt}", "Attempts to send a message of an outbox that have failed.");
        _parked = Meter.CreateCounter<long>(
            "polyjuice.outbox.parked", "{message}",
            "Messages of outboxes that were parked, after all attempts had failed.");
        Meter.CreateObservableGauge(
            "polyjuice.outbox.pending", () => (long)Pending.Messages, "{message}",
            "Messages of outboxes that this silo has to send.");
        Meter.CreateObservableGauge(
            "polyjuice.outbox.age", () => AgeOf(Pending), "s",
            "How long ago the oldest message was enqueued that this silo has to send; 0 if there is none.");
        Meter.CreateObservableGauge(
            "polyjuice.outbox.parked.present", () => (long)Present.Messages, "{message}",
            "Messages of outboxes that are parked at present, in the log partitions that this silo serves.");
    }

    /// <summary>Whose instruments they are.</summary>
    public Meter Meter { get; }

    /// <summary>What this silo has to send, as far as it has seen.</summary>
    public LaneReport Pending
    {
        get => Volatile.Read(ref _pending);
        set => Volatile.Write(ref _pending, value);
    }

    /// <summary>What is parked in the partitions that it serves, as far as it has seen.</summary>
    public LaneReport Present
    {
        get => Volatile.Read(ref _present);
        set => Volatile.Write(ref _present, value);
    }

    /// <summary>
    /// There is a sender of this name: its counters are told from now on, so that the first that is counted is a
    /// change.
    /// </summary>
    public void Knows(string sender)
    {
        var tag = new KeyValuePair<string, object?>("sender", sender);
        foreach (var counter in (Counter<long>[])[_sent, _failures, _parked]) counter.Add(0, tag);
    }

    /// <summary>One was sent.</summary>
    public void Sent(string sender) => _sent.Add(1, new KeyValuePair<string, object?>("sender", sender));

    /// <summary>One was not.</summary>
    public void Failed(string sender) => _failures.Add(1, new KeyValuePair<string, object?>("sender", sender));

    /// <summary>One was parked.</summary>
    public void Parked(string sender) => _parked.Add(1, new KeyValuePair<string, object?>("sender", sender));

    /// <inheritdoc/>
    public void Dispose() => Meter.Dispose();

    // By the clock of the silo that began the transaction.
    private static double AgeOf(LaneReport report) => report.Messages == 0
        ? 0
        : Math.Max(0, (DateTimeOffset.UtcNow - DateTimeOffset.UnixEpoch.AddMicroseconds(report.OldestAt)).TotalSeconds);
}
