using Orleans.Runtime;

namespace Polyjuice.Orleans.Outboxes;

/// <summary>
/// Sends the messages of one lane's activation. Messages of one grain to one sender go one after the other, in their
/// order; others do not wait for them. A message is taken out when its sender has it, so that it may be sent again
/// when the silo dies in between. On the lane's turn.
/// </summary>
/// <param name="lane">The lane's key.</param>
/// <param name="self">The lane, for transactions of its own.</param>
/// <param name="dispatch">Senders and bounds.</param>
/// <param name="ending">The activation ends.</param>
internal sealed class OutboxPump(string lane, Func<IOutboxLane> self, OutboxDispatch dispatch, CancellationToken ending)
{
    /// <summary>Before a transaction of the lane itself is tried again that has failed.</summary>
    private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(100);

    // By number, those that were seen and are not known to be gone: the count of reads at which one was settled, or 0.
    private readonly Dictionary<long, long> _seen = [];
    private readonly Dictionary<(GrainId Source, string Sender), Queue<OutboxEntry>> _queues = [];
    private List<long> _sent = [];
    private bool _isSettling;
    private long _reads;

    /// <summary>Takes up what has committed since it was last called. Throws if that can't be read.</summary>
    /// <returns>What is to be sent, or was sent and is still to be taken out.</returns>
    public async Task<LaneReport> WakeAsync()
    {
        var read = ++_reads;
        var entries = await self().Read();
        foreach (var entry in entries)
        {
            // One that is there after it was taken out has been put back.
            if (_seen.TryGetValue(entry.Number, out var settled) && (settled == 0 || settled >= read)) continue;
            _seen[entry.Number] = 0;
            Add(entry);
        }

        // A read that began before it was settled may still have shown it.
        var there = entries.Select(static entry => entry.Number).ToHashSet();
        foreach (var (number, settledAt) in _seen.ToArray())
        {
            if (settledAt > 0 && settledAt < read && !there.Contains(number)) _seen.Remove(number);
        }

        return LaneReport.Of([.. entries.Where(entry => _seen.GetValueOrDefault(entry.Number) == 0)]);
    }

    private string IdOf(OutboxEntry entry) => OutboxDispatch.IdOf(lane, entry.Number);

    private void Add(OutboxEntry entry)
    {
        var group = (entry.Source, entry.Sender);
        if (_queues.TryGetValue(group, out var queue))
        {
            queue.Enqueue(entry);
            return;
        }

        _queues.Add(group, queue = new([entry]));
        SendAllAsync(group, queue).Ignore();
    }

    private async Task SendAllAsync((GrainId Source, string Sender) group, Queue<OutboxEntry> queue)
    {
        while (queue.TryPeek(out var entry) && !ending.IsCancellationRequested)
        {
            if (await SendAsync(entry)) Settle(entry);
            else _seen[entry.Number] = _reads;
            queue.Dequeue();
        }

        _queues.Remove(group);
    }

    /// <summary>Sends one, for as long as it takes.</summary>
    /// <returns>Whether it was sent; otherwise it is parked, or the activation ends.</returns>
    private async Task<bool> SendAsync(OutboxEntry entry)
    {
        for (var attempts = 1; ; attempts++)
        {
            try
            {
                await BeginSending(entry, attempts);
                dispatch.Metrics.Sent(entry.Sender);
                return true;
            }
            catch (Exception exception)
            {
                if (ending.IsCancellationRequested) return false;
                dispatch.Metrics.Failed(entry.Sender);
                HostLog.NotSent(dispatch.Logger, exception, IdOf(entry), entry.Sender, attempts);

                // A silo without the sender says nothing of the message.
                var mayPark = attempts >= dispatch.Options.AttemptsMax && dispatch.Find(entry.Sender) is not null;
                if (mayPark && await ParkAsync(entry, exception)) return false;
            }

            await WaitAsync(dispatch.PauseAfter(attempts));
        }
    }

    // On the pool: a sender that blocks must not hold up transactions of the lane.
    private Task BeginSending(OutboxEntry entry, int attempt)
    {
        using (ExecutionContext.SuppressFlow()) return Task.Run(() => SendOnceAsync(entry, attempt), ending);
    }

    private async Task SendOnceAsync(OutboxEntry entry, int attempt)
    {
        var sender = dispatch.Find(entry.Sender)
            ?? throw new InvalidOperationException(OutboxDispatch.NoSender(entry.Sender));
        using var time = CancellationTokenSource.CreateLinkedTokenSource(ending);
        time.CancelAfter(dispatch.Options.SendTimeout);
        await sender.SendAsync(dispatch.MessageOf(lane, entry, attempt), time.Token).WaitAsync(time.Token);
    }

    private async Task<bool> ParkAsync(OutboxEntry entry, Exception cause)
    {
        while (!ending.IsCancellationRequested)
        {
            try
            {
                if (await self().Park(entry.Number))
                {
                    dispatch.Metrics.Parked(entry.Sender);
                    HostLog.Parked(dispatch.Logger, cause, IdOf(entry), entry.Source, entry.Sender);
                    return true;
                }

                HostLog.NotParked(dispatch.Logger, IdOf(entry), entry.Sender);
                return false;
            }
            catch (Exception exception)
            {
                HostLog.LaneFailed(dispatch.Logger, exception, lane);
                await WaitAsync(s_pause);
            }
        }

        return false;
    }

    private void Settle(OutboxEntry entry)
    {
        _sent.Add(entry.Number);
        if (_isSettling) return;
        _isSettling = true;
        SettleAsync().Ignore();
    }

    private async Task SettleAsync()
    {
        while (_sent.Count > 0 && !ending.IsCancellationRequested)
        {
            var sent = _sent;
            _sent = [];
            try
            {
                await self().Settle([.. sent]);
                foreach (var number in sent) _seen[number] = _reads;
            }
            catch (Exception exception)
            {
                // It may have committed, and does no harm a second time.
                _sent.InsertRange(0, sent);
                HostLog.LaneFailed(dispatch.Logger, exception, lane);
                await WaitAsync(s_pause);
            }
        }

        _isSettling = false;
    }

    private async Task WaitAsync(TimeSpan time)
    {
        try
        {
            await Task.Delay(time, ending);
        }
        catch (OperationCanceledException)
        {
            // Whoever waits looks at that itself.
        }
    }
}
