using System.Runtime.InteropServices;
using Polyjuice.Partitions;
using Polyjuice.Versions;
using Polyjuice.Waits;
using Polyjuice.Wire;

namespace Polyjuice.Agents;

/// <summary>How far transactions have got: who waits here is woken, and nodes that have asked are told.</summary>
internal sealed class TransactionProgress(
    EngineContext context, Mail mail, WaitGraph waits, TransactionTable transactions, Lifecycle lifecycle)
{
    /// <summary>Calls from other nodes that have got further since the last flush.</summary>
    private readonly List<CallFrame> _progressing = [];

    /// <summary>A frame, or a remote call, has got further.</summary>
    public void Progressed(LocalTransaction transaction)
    {
        var least = int.MaxValue;
        var frames = CollectionsMarshal.AsSpan(transaction.Frames);
        foreach (var frame in frames)
        {
            if (frame.IsLeaf) least = Math.Min(least, frame.Position);
        }

        foreach (var call in CollectionsMarshal.AsSpan(transaction.RemoteCalls)) least = Math.Min(least, call.Position);
        if (least == int.MaxValue) return;
        if (transaction.Agent is not null)
        {
            Advance(transaction, least);
            return;
        }

        // While its calls are made one after the other, what runs here is all that runs: who waits here need not hear
        // it from the agent, two messages later.
        if (!transaction.IsParallel) Advance(transaction, least);

        // Up to the node that called: the position of what runs below that call.
        foreach (var call in frames)
        {
            var frame = (CallFrame)call;
            if (frame.Caller is not { } caller || caller.Reached >= least) continue;
            if (caller.Reached == caller.LastReported) _progressing.Add(frame);
            caller.Reached = least;
        }

        if (_progressing.Count > 0) mail.RequestFlush();
    }

    /// <summary>
    /// Tells the callers of calls that have got further and are still running. An answer says so itself, and most
    /// calls have one access.
    /// </summary>
    public void Report()
    {
        foreach (var frame in _progressing)
        {
            var caller = frame.Caller!;
            caller.LastReported = caller.Reached;
            if (frame.HasExited) continue;
            mail.Send(caller.Node, new CallProgressMessage
            {
                Transaction = frame.TransactionId,
                CallId = caller.CallId,
                Reached = caller.Reached,
            });
        }

        _progressing.Clear();
    }

    private void Advance(LocalTransaction transaction, int position)
    {
        if (position <= transaction.Progress) return;
        transaction.Progress = position;
        waits.Notify(transaction);
        TellSubscribers(transaction);
    }

    /// <summary>Asks the agent's node to say when a transaction has got that far; it may already have.</summary>
    public void SubscribeTo(LocalTransaction target, int level, bool again = false)
    {
        if (target.Agent is not null || target.Id.Node == context.Node || target.IsEnded
            || level is Wait.Decided or Wait.Validated)
            return;
        if (!again && target.SubscribedTo >= level) return;

        // Its agent knows of each node that it has visited, and tells them all when it is sealed or gone.
        if (!again && level == Wait.Sealed && target.Branches is not null) return;
        target.SubscribedTo = Math.Max(target.SubscribedTo, level);
        mail.Send(target.Id.Node, new SubscribeMessage { Transaction = target.Id, Level = level });
    }

    public void OnSubscribe(in Message message)
    {
        if (!transactions.TryFind(message.Transaction, out var transaction) || transaction.IsSealed
            || transaction.IsEnded)
        {
            mail.Send(message.From, new ProgressMessage { Transaction = message.Transaction, IsOver = true });
            return;
        }

        var subscription = (message.From, SubscribeMessage.Read(message).Level);
        if (transaction.Subscribers is null) transaction.Subscribers = [subscription];
        else if (!transaction.Subscribers.Contains(subscription)) transaction.Subscribers.Add(subscription);
        if (transaction.Progress > 0) TellSubscribers(transaction);
    }

    public void TellSubscribers(LocalTransaction transaction)
    {
        if (transaction.Subscribers is not { Count: > 0 } subscribers) return;
        var isOver = transaction.IsSealed || transaction.IsEnded;
        for (var i = subscribers.Count - 1; i >= 0; i--)
        {
            var (node, position) = subscribers[i];
            if (!isOver && transaction.Progress < position) continue;
            subscribers.RemoveAt(i);
            mail.Send(node, new ProgressMessage
            {
                Transaction = transaction.Id,
                Reached = transaction.Progress,
                IsOver = isOver,
            });
        }
    }

    public void TellSubscribersEnd(LocalTransaction transaction)
    {
        if (transaction.Subscribers is not { Count: > 0 } subscribers) return;
        foreach (var (node, _) in subscribers)
            mail.Send(node, new ProgressMessage { Transaction = transaction.Id, IsOver = true });
        subscribers.Clear();
    }

    public void OnProgress(in Message message)
    {
        if (!transactions.TryFind(message.Transaction, out var transaction)) return;
        if (CallProgressMessage.Is(message)) OnProgress(transaction, CallProgressMessage.Read(message));
        else OnProgress(transaction, ProgressMessage.Read(message));
    }

    private void OnProgress(LocalTransaction transaction, in CallProgressMessage progress)
    {
        var id = progress.CallId;
        if (transaction.RemoteCalls?.Find(call => ((OutgoingCall)call).Id == id) is not { } call
            || call.Position >= progress.Reached)
            return;
        call.Position = progress.Reached;
        SignsOfLife.Note(transaction, context);
        Progressed(transaction);
    }

    private void OnProgress(LocalTransaction transaction, in ProgressMessage progress)
    {
        if (progress.IsOver)
        {
            lifecycle.Seal(transaction);
            return;
        }

        transaction.Progress = Math.Max(transaction.Progress, progress.Reached);
        SignsOfLife.Note(transaction, context);
        waits.Notify(transaction);
    }
}
