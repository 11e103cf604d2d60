using System.Diagnostics.Metrics;
using Polyjuice.Diagnostics;

namespace Polyjuice.Orleans.Outboxes;

/// <summary>What a silo's lanes have sent, and have in hand. Thread-safe.</summary>
internal sealed class OutboxMetrics : IDisposable
{
    private readonly Meter _meter;
    private readonly Counter<long> _sent;
    private readonly Counter<long> _failures;
    private readonly Counter<long> _parked;
    private long _pending;

    /// <param name="meters">The host's, if it has one.</param>
    public OutboxMetrics(IMeterFactory? meters = null)
    {
        _meter = PolyjuiceMeter.Of(meters);
        _sent = _meter.CreateCounter<long>(
            "polyjuice.outbox.sent", "{message}", "Messages of outboxes that senders have taken.");
        _failures = _meter.CreateCounter<long>(
            "polyjuice.outbox.failures", "{attempt}", "Attempts to send a message of an outbox that have failed.");
        _parked = _meter.CreateCounter<long>(
            "polyjuice.outbox.parked", "{message}",
            "Messages of outboxes that were parked, after all attempts had failed.");
        _meter.CreateObservableGauge(
            "polyjuice.outbox.pending", () => Pending, "{message}", "Messages of outboxes that this silo has to send.");
    }

    /// <summary>Messages that this silo has to send, as far as it has seen.</summary>
    public long Pending
    {
        get => Volatile.Read(ref _pending);
        set => Volatile.Write(ref _pending, value);
    }

    /// <summary>One was sent.</summary>
    public void Sent(string sender) => _sent.Add(1, new KeyValuePair<string, object?>("sender", sender));

    /// <summary>One was not.</summary>
    public void Failed(string sender) => _failures.Add(1, new KeyValuePair<string, object?>("sender", sender));

    /// <summary>One was parked.</summary>
    public void Parked(string sender) => _parked.Add(1, new KeyValuePair<string, object?>("sender", sender));

    /// <inheritdoc/>
    public void Dispose() => _meter.Dispose();
}
