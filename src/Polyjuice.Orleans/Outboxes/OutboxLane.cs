using Microsoft.Extensions.Options;
using Orleans;
using Orleans.Concurrency;
using Orleans.Configuration;
using Orleans.Metadata;
using Orleans.Runtime;
using Orleans.Transactions.Abstractions;
using Polyjuice.Orleans.Rows;

namespace Polyjuice.Orleans.Outboxes;

/// <inheritdoc cref="IOutboxLane"/>
[Reentrant, GrainType(OutboxLane.Type)]
internal sealed class OutboxLane : Grain, IOutboxLane
{
    /// <summary>The grain's type.</summary>
    public const string Type = "polyjuice.outbox";

    /// <summary>The name of the state with messages to be sent.</summary>
    public const string Pending = "pending";

    /// <summary>The name of the state with messages that are parked.</summary>
    public const string Parked = "parked";

    private readonly ITransactionalState<OutboxEntries> _pending;
    private readonly ITransactionalState<OutboxEntries> _parked;
    private readonly CancellationTokenSource _ending = new();
    private readonly OutboxOptions _options;
    private readonly OutboxPump _pump;

    public OutboxLane(
        [TransactionalState(Pending, StateStorageResolver.LogAlways)] ITransactionalState<OutboxEntries> pending,
        [TransactionalState(Parked, StateStorageResolver.LogAlways)] ITransactionalState<OutboxEntries> parked,
        OutboxDispatch dispatch,
        IOptions<PolyjuiceOptions> options)
    {
        (_pending, _parked, _options) = (pending, parked, options.Value.Outbox);
        _pump = new(this.GetPrimaryKeyString(), () => this.AsReference<IOutboxLane>(), dispatch, _ending.Token);
    }

    /// <inheritdoc/>
    public override async Task OnDeactivateAsync(DeactivationReason reason, CancellationToken cancellationToken) =>
        await _ending.CancelAsync();

    /// <inheritdoc/>
    public Task Enqueue(OutboxEntry entry) => _pending.PerformUpdate(pending =>
    {
        if (pending.IsFullFor(entry, _options.LaneBytes))
        {
            throw new OutboxFullException(
                $"{pending.Entries.Count} messages of {entry.Source} and other grains of its lane wait to be sent, and "
                + "take all the bytes that they may (OutboxOptions.LaneBytes).");
        }

        pending.Entries.Add(entry with { Number = ++pending.Last });
    });

    /// <inheritdoc/>
    public Task<OutboxEntry[]> Read() => _pending.PerformRead(static pending => pending.Entries.ToArray());

    /// <inheritdoc/>
    public Task Settle(long[] numbers) => _pending.PerformUpdate(pending =>
    {
        var sent = numbers.ToHashSet();
        pending.Entries.RemoveAll(entry => sent.Contains(entry.Number));
    });

    /// <inheritdoc/>
    public async Task<bool> Park(long number)
    {
        var entry = await _pending.PerformRead(pending => pending.Entries.Find(entry => entry.Number == number));

        // Somebody has settled it, an earlier activation perhaps.
        if (entry is null) return true;
        var hasRoom = await _parked.PerformUpdate(parked =>
        {
            if (parked.IsFullFor(entry, _options.LaneBytes)) return false;
            parked.Entries.Add(entry);
            return true;
        });
        if (hasRoom) await _pending.PerformUpdate(pending => pending.Take(number));
        return hasRoom;
    }

    /// <inheritdoc/>
    public Task<OutboxEntry[]> ReadParked() => _parked.PerformRead(static parked => parked.Entries.ToArray());

    /// <inheritdoc/>
    public async Task<bool> Unpark(long number, bool sendsAgain)
    {
        if (await _parked.PerformUpdate(parked => parked.Take(number)) is not { } entry) return false;
        if (sendsAgain) await _pending.PerformUpdate(pending => pending.Entries.Add(entry));
        return true;
    }

    /// <inheritdoc/>
    public Task<LaneReport> Wake() => _pump.WakeAsync();
}
