using Microsoft.Extensions.Logging;
using Polyjuice.Commit;
using Polyjuice.Diagnostics;
using Polyjuice.Hosting;

namespace Polyjuice.Execution;

/// <summary>What came of looking for a cycle.</summary>
internal enum CycleBreak
{
    /// <summary>There is none at this node.</summary>
    None,

    /// <summary>Another transaction in it was doomed.</summary>
    OtherDoomed,

    /// <summary>The one that was about to wait was doomed.</summary>
    SelfDoomed,
}

/// <summary>
/// Who waits for whom at this node. A cycle inside the node is found at the moment it closes; one across nodes by probes. The
/// youngest by first attempt loses, so that a transaction that keeps losing grows old and then wins.
/// </summary>
internal sealed class WaitGraph(TransactionEngine engine)
{
    private const int MaxHops = 64;

    private readonly List<Wait> _waits = [];
    private readonly List<LocalTransaction> _path = [];
    private readonly HashSet<LocalTransaction> _visited = [];

    /// <summary>The latest round in which a probe of one transaction passed another here: each passes once, or their number would grow with every hop.</summary>
    private readonly Dictionary<(TransactionId Initiator, TransactionId Target), long> _passed = [];
    private const int PassedMax = 8_192;

    public int Count => _waits.Count;

    public Wait Register(LocalTransaction waiter, LocalTransaction target, int level, int siteId)
    {
        var wait = new Wait(waiter, target, level, engine.Now, siteId);
        (waiter.Waits ??= []).Add(wait);
        (target.Waiters ??= []).Add(wait);
        _waits.Add(wait);
        engine.Statistics.Waits++;
        engine.EnsureProbing();
        return wait;
    }

    public void Remove(Wait wait)
    {
        wait.Waiter.Waits?.Remove(wait);
        wait.Target.Waiters?.Remove(wait);
        _waits.Remove(wait);
    }

    /// <summary>Waits until the target has got that far or is gone. False when the waiter was doomed instead.</summary>
    public async ValueTask<bool> WaitAsync(LocalTransaction waiter, LocalTransaction target, int level, int siteId)
    {
        if (waiter.IsDoomed) return false;
        if (Wait.IsSatisfied(target, level)) return true;
        var wait = Register(waiter, target, level, siteId);
        if (BreakCycle(wait) == CycleBreak.SelfDoomed)
        {
            Remove(wait);
            return false;
        }

        if (!wait.IsDone) engine.SubscribeTo(target, level);
        var outcome = await wait.Completion.Task;
        engine.Metrics.Waited(engine.Now - wait.StartedAt, engine.SiteName(siteId));
        return outcome == WaitOutcome.Satisfied && !waiter.IsDoomed;
    }

    /// <summary>A transaction has got further: ends the waits that this satisfies.</summary>
    public void Notify(LocalTransaction target)
    {
        if (target.Waiters is not { Count: > 0 } waiters) return;
        for (var i = waiters.Count - 1; i >= 0; i--)
        {
            var wait = waiters[i];
            if (!Wait.IsSatisfied(target, wait.Level)) continue;
            if (i == 0 && engine.Breaks.HasFlag(ProtocolBreaks.LostWakeUp)) continue;
            waiters.RemoveAt(i);
            wait.Waiter.Waits?.Remove(wait);
            _waits.Remove(wait);
            wait.Completion.TrySetResult(WaitOutcome.Satisfied);
        }
    }

    /// <summary>A doomed transaction waits for nobody.</summary>
    public void Cancel(LocalTransaction waiter)
    {
        if (waiter.Waits is not { Count: > 0 } waits) return;
        waiter.Waits = null;
        foreach (var wait in waits)
        {
            wait.Target.Waiters?.Remove(wait);
            _waits.Remove(wait);
            wait.Completion.TrySetResult(WaitOutcome.Doomed);
        }
    }

    /// <summary>Finds the cycle that a new wait closes at this node, if it does, and dooms the youngest in it.</summary>
    public CycleBreak BreakCycle(Wait wait)
    {
        var result = CycleBreak.None;
        while (!wait.IsDone && wait.Target.Waits is { Count: > 0 })
        {
            _path.Clear();
            _visited.Clear();
            _path.Add(wait.Waiter);
            if (!FindPath(wait.Target, wait.Waiter)) break;
            var victim = _path[0];
            foreach (var member in _path)
            {
                if (member.IsYoungerThan(victim)) victim = member;
            }

            if (victim.IsDoomed || victim.IsEnded) return victim == wait.Waiter ? CycleBreak.SelfDoomed : result;
            engine.Doom(victim, AbortReason.Deadlock, null, siteId: wait.SiteId, other: wait.Target.Type);
            if (victim == wait.Waiter) return CycleBreak.SelfDoomed;
            result = CycleBreak.OtherDoomed;
        }

        return result;
    }

    private bool FindPath(LocalTransaction from, LocalTransaction to)
    {
        if (from == to) return true;
        if (from.IsDoomed || !_visited.Add(from)) return false;
        if (from.Waits is not { } waits) return false;
        _path.Add(from);
        foreach (var wait in waits)
        {
            if (FindPath(wait.Target, to)) return true;
        }

        _path.RemoveAt(_path.Count - 1);
        return false;
    }

    /// <summary>Starts probes for waits that have lasted, repeats lost subscriptions, and enforces the deadline.</summary>
    public void Tick(long now)
    {
        foreach (var wait in _waits.ToArray())
        {
            if (wait.IsDone) continue;
            if (now - wait.StartedAt >= engine.Options.WaitDeadlineMicroseconds)
            {
                engine.Statistics.WaitsEndedByDeadline++;
                if (engine.Log.IsEnabled(LogLevel.Warning)) engine.Log.WaitDeadline(wait.Waiter.ToString(), engine.SiteName(wait.SiteId), wait.Target.Describe());
                engine.Doom(wait.Waiter, AbortReason.WaitDeadline, null, siteId: wait.SiteId, other: wait.Target.Type);
                continue;
            }

            if (now < wait.NextProbeAt) continue;
            if (now - wait.StartedAt >= engine.Options.ResendMicroseconds) engine.SubscribeTo(wait.Target, wait.Level, again: true);
            wait.NextProbeAt = now + Math.Clamp((now - wait.StartedAt) / 4, engine.Options.ProbeMicroseconds, engine.Options.ProbeMicroseconds * 8);
            Follow(new Message { Kind = MessageKind.Probe, Other = wait.Waiter.Id, Timestamp = wait.Waiter.FirstAttempt, Epoch = engine.Node.Value, ManagerEpoch = now }, wait.Target, fromAgent: false);
        }
    }

    public void OnProbe(in Message probe)
    {
        if (probe.Count >= MaxHops || engine.Find(probe.Transaction) is not { } target) return;
        Follow(probe, target, fromAgent: !probe.Has(MessageFlags.ToAgent));
    }

    /// <summary>
    /// Edge chasing: a probe passes only older transactions, so exactly the youngest member of a cycle gets its own probe back.
    /// </summary>
    private void Follow(Message probe, LocalTransaction target, bool fromAgent)
    {
        var initiator = probe.Other;
        if (target.Id == initiator)
        {
            engine.Send(new NodeId(probe.Epoch), new Message { Kind = MessageKind.Victim, Transaction = initiator });
            return;
        }

        if (target.IsEnded || !LocalTransaction.IsYounger(probe.Timestamp, initiator, target.FirstAttempt, target.Id)) return;
        if (_passed.Count > PassedMax) _passed.Clear();
        if (_passed.TryGetValue((initiator, target.Id), out var round) && round >= probe.ManagerEpoch) return;
        _passed[(initiator, target.Id)] = probe.ManagerEpoch;
        foreach (var wait in target.Waits?.ToArray() ?? []) Follow(probe, wait.Target, fromAgent: false);
        probe.Transaction = target.Id;
        probe.Count++;
        probe.Flags = MessageFlags.None;
        var asked = NodeId.None;
        foreach (var call in target.RemoteCalls ?? [])
        {
            if (call.Destination == asked || call.Destination == NodeId.None) continue;
            asked = call.Destination;
            engine.Send(asked, probe);
        }

        if (target.Agent is { } agent)
        {
            foreach (var part in agent.PartsNotOrdered())
            {
                if (part.Node != engine.Node) engine.Send(part.Node, probe);
            }
        }
        else if (!fromAgent && target.Id.Node != engine.Node)
        {
            probe.Flags = MessageFlags.ToAgent;
            engine.Send(target.Id.Node, probe);
        }
    }
}
