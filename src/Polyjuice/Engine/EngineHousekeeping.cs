using Polyjuice.Agents;
using Polyjuice.Contracts;
using Polyjuice.Partitions;
using Polyjuice.Versions;
using Polyjuice.Waits;
using Polyjuice.Wire;

namespace Polyjuice.Engine;

/// <summary>What an engine does in each tick, part by part.</summary>
/// <remarks>That an invariant is broken ends every part of the engine, this one too: hence the callback.</remarks>
internal sealed class EngineHousekeeping(
    EngineContext context, Mail mail, Timers timers, OpenTime openTime, TransactionLooks transactionLooks,
    AdmissionQueue queue, LoadExchange load, ConflictWatch conflicts, WaitGraph waits,
    ParallelTransactions parallelTransactions, LogOwners logs, RowOwners rows, EndedTransactions ended,
    LiveAttempts live, TransactionTable transactions, Recording recording, Action<Exception> failed)
{
    /// <summary>
    /// Whether any transaction that this node is the agent of has not ended yet. Other threads may see it a moment
    /// later.
    /// </summary>
    public bool HasTransactions => live.Oldest is not null || queue.Waiting > 0;

    public void Tick()
    {
        try
        {
            var now = context.Now;
            openTime.CountOpenTime();
            transactionLooks.Tick(now);
            queue.Tick(now);
            load.Tick(now);
            conflicts.Tick(now);
            waits.Tick(now);
            parallelTransactions.Repeat(now);
            logs.Tick(now);
            rows.Tick(now);
            ended.Tick(now);
        }
        catch (InvariantException exception)
        {
            failed(exception);
            return;
        }

        mail.RequestFlush();
        var goesOn = HasTransactions || logs.HasUnfinished || rows.HasRestless || transactions.Count > 0;
        recording.Recorder?.Tick(isIdle: !goesOn);
        if (goesOn) timers.EnsureTicking();
    }

    /// <summary>It is time to look for cycles across nodes.</summary>
    public void Probe(long now)
    {
        waits.Probes.Tick(now);
        timers.EnsureProbing(waits.Probes.NextAt);
        mail.RequestFlush();
    }
}
