using Polyjuice.Versions;
using Polyjuice.Waits;

namespace Polyjuice.Agents;

/// <summary>
/// The turn of one activation that runs one call at a time: which calls of transactions hold it, and which ones wait
/// for it in the host's queue, where the engine sees nothing. Each of the latter is an edge of the wait graph to each
/// of the former: a cycle through a turn is a cycle. On the engine's turn only.
/// </summary>
/// <param name="engine">Of the silo where the activation is.</param>
internal sealed class ActivationTurn(EngineParts engine)
{
    private readonly List<TurnHold> _holds = new(1);
    private readonly List<TurnWait> _waits = [];

    /// <summary>Whether no transaction holds it or waits for it, as far as is known here.</summary>
    public bool IsIdle =>
        _holds.Count == 0 && _waits.TrueForAll(static wait => wait.Waiter.IsDoomed || wait.Waiter.IsEnded);

    /// <summary>Whether one call holds it, and no other.</summary>
    public bool IsHeldOnlyBy(TurnHold hold) => _holds.Count == 1 && _holds[0] == hold;

    /// <summary>A call has got the turn, or shares it.</summary>
    /// <param name="key">By which it was known while it waited, if it was.</param>
    /// <param name="isReadOnly">Whether the host lets other such calls in beside it.</param>
    public TurnHold Hold(Guid key, bool isReadOnly)
    {
        if (key != Guid.Empty) Leave(key);
        var hold = new TurnHold(this, key, isReadOnly);
        _holds.Add(hold);
        return hold;
    }

    /// <summary>A call that was made on this node waits for the turn, and has for a while.</summary>
    /// <param name="call">The call.</param>
    /// <param name="key">Tells it from all others.</param>
    /// <param name="isReadOnly">Whether the host lets it in beside other such calls.</param>
    /// <param name="mayBeLetIn">Whether the host can let it in, before its turn has come, by its key.</param>
    public TurnAnswer Await(OutgoingCall call, Guid key, bool isReadOnly, bool mayBeLetIn) =>
        Await(call.Caller.Transaction, key, isReadOnly, mayBeLetIn);

    /// <summary>The same for a call from another node.</summary>
    /// <param name="wait">What <see cref="OutgoingCall.WriteTurnWait"/> wrote there.</param>
    /// <param name="key">Tells it from all others.</param>
    /// <param name="isReadOnly">Whether the host lets it in beside other such calls.</param>
    /// <param name="mayBeLetIn">Whether the host can let it in, before its turn has come, by its key.</param>
    public TurnAnswer Await(ReadOnlySpan<byte> wait, Guid key, bool isReadOnly, bool mayBeLetIn) =>
        _holds.Count > 0 && engine.Calls.TurnWaits.Read(wait) is { } waiter
            ? Await(waiter, key, isReadOnly, mayBeLetIn)
            : TurnAnswer.None;

    /// <summary>
    /// Before a call that holds the turn runs another attempt: who is to be let in ahead of that. An attempt that has
    /// lost a cycle keeps the turn, because its call does; without this the older one that waits for the turn would
    /// wait on.
    /// </summary>
    /// <param name="hold">Of the call.</param>
    /// <param name="attempt">The attempt that is to run.</param>
    /// <returns>The key of the oldest call of an older transaction, or <see cref="Guid.Empty"/>.</returns>
    public Guid NextToLetIn(TurnHold hold, CallFrame attempt)
    {
        Prune();
        TurnWait? next = null;
        foreach (var wait in _waits)
        {
            if (!wait.MayBeLetIn || hold.HasOffered(wait.Key)) continue;
            if (!attempt.Transaction.IsYoungerThan(wait.Waiter)) continue;
            if (next is null || next.Waiter.IsYoungerThan(wait.Waiter)) next = wait;
        }

        return next?.Key ?? Guid.Empty;
    }

    /// <summary>
    /// Waits until a call that the host lets in has run; or does not come, or has no reason to any more.
    /// </summary>
    /// <param name="hold">Of the call that lets it in.</param>
    /// <param name="attempt">The attempt that is to run after it.</param>
    /// <param name="key">Of the call that is let in.</param>
    public async Task LetInAsync(TurnHold hold, CallFrame attempt, Guid key)
    {
        hold.Offer(key);
        if (_waits.Find(wait => wait.Key == key) is { } entry && !attempt.Transaction.IsDoomed)
        {
            // For the graph it is the one that lets the other one in that waits.
            Disconnect(entry, static _ => true);
            entry.LetInBy = engine.Waits.Register(attempt.Transaction, entry.Waiter, Wait.Decided, Wait.TurnSite);
            if (engine.Waits.BreakCycle(entry.LetInBy) != CycleBreak.SelfDoomed)
            {
                engine.Host.Schedule(EntryMicroseconds, () => Withdraw(entry));
                await entry.LetInBy.Completion;
            }
        }

        await OthersGone(hold);
    }

    /// <summary>Completes when no other call holds the turn.</summary>
    public async Task OthersGone(TurnHold hold)
    {
        while (_holds.Find(other => other != hold) is { } other) await other.Released;
    }

    internal void Run(TurnHold hold)
    {
        Prune();
        foreach (var wait in _waits.ToArray()) Connect(wait, hold);
    }

    internal void Release(TurnHold hold)
    {
        if (!_holds.Remove(hold)) return;
        foreach (var wait in _waits) Disconnect(wait, edge => edge.Target == hold.Transaction);
    }

    // How long a call that is let in may take to come: the host has it in its queue.
    private const long EntryMicroseconds = 50_000;

    private TurnAnswer Await(LocalTransaction waiter, Guid key, bool isReadOnly, bool mayBeLetIn)
    {
        Prune();
        if (_holds.Count == 0 || _holds.Exists(hold => hold.Key == key)) return TurnAnswer.None;

        // Its caller is to hear of that, and the graph need not.
        if (waiter.IsDoomed || waiter.IsEnded) return TurnAnswer.Queued;
        if (_waits.Find(known => known.Key == key) is not { } wait)
            _waits.Add(wait = new(key, waiter, isReadOnly, mayBeLetIn));
        if (wait.LetInBy is { IsDone: false }) return TurnAnswer.Queued;
        foreach (var hold in _holds.ToArray()) Connect(wait, hold);

        // What runs beside it may give the turn back without it.
        return !waiter.IsParallel && _holds.Exists(hold => hold.Transaction == waiter && wait.IsKeptOutBy(hold))
            ? TurnAnswer.BehindItself
            : TurnAnswer.Queued;
    }

    private void Connect(TurnWait wait, TurnHold hold)
    {
        if (wait.Waiter.IsDoomed || wait.LetInBy is { IsDone: false } || !wait.IsKeptOutBy(hold)) return;
        if (hold.Transaction is not { IsEnded: false } target || target == wait.Waiter) return;
        wait.Edges.RemoveAll(static edge => edge.IsDone);
        if (wait.Edges.Exists(edge => edge.Target == target)) return;
        var added = engine.Waits.Register(wait.Waiter, target, Wait.Decided, Wait.TurnSite);
        wait.Edges.Add(added);
        engine.Waits.BreakCycle(added);
    }

    private void Disconnect(TurnWait wait, Predicate<Wait> predicate)
    {
        foreach (var edge in wait.Edges)
        {
            if (predicate(edge)) engine.Waits.Satisfy(edge);
        }

        wait.Edges.RemoveAll(static edge => edge.IsDone);
    }

    // The call runs now, or is not waited with any longer.
    private void Leave(Guid key)
    {
        if (_waits.Find(wait => wait.Key == key) is not { } entry) return;
        _waits.Remove(entry);
        Disconnect(entry, static _ => true);
        if (entry.LetInBy is { } letIn) engine.Waits.Satisfy(letIn);
    }

    private void Withdraw(TurnWait entry)
    {
        if (entry.LetInBy is { } letIn) engine.Waits.Satisfy(letIn);
    }

    private void Prune()
    {
        for (var i = _waits.Count - 1; i >= 0; i--)
        {
            if (_waits[i].Waiter is { IsDoomed: false, IsEnded: false }) continue;
            Disconnect(_waits[i], static _ => true);
            _waits.RemoveAt(i);
        }
    }
}
