using Polyjuice.Contracts;
using Polyjuice.Versions;
using Polyjuice.Wire;

namespace Polyjuice.Waits;

/// <summary>
/// Whether those who are waited for get on, wherever they are. A wait's deadline is to end what stands still, and on a
/// busy silo an attempt may take long while it moves all the time: its calls come and go, participants order it, queues
/// that it stands in elsewhere shrink. What is seen of that here is noted; what is not is asked for, along the
/// attempt's calls, once a wait for it is half way to its deadline. On the engine's turn.
/// </summary>
internal sealed class SignsOfLife(EngineContext context, Mail mail, IWaitEvents events)
{
    private readonly WaitProgress _progress = new();
    private long _walkedAt = -1;

    /// <summary>Waits have begun or ended: what the last walk has found out no longer holds.</summary>
    public void Begin()
    {
        _progress.Begin();
        _walkedAt = context.Now;
    }

    /// <summary>
    /// An attempt has got on here. Matters only for one that is waited for, so nothing is kept of others.
    /// </summary>
    public static void Note(LocalTransaction transaction, EngineContext context)
    {
        if (transaction.Edges is { } node) node.ChangedAt = context.Now;
    }

    /// <summary>When an attempt, or one that it waits for here, last got on, as far as is known here.</summary>
    /// <returns>On the host's clock, in microseconds; 0 if that is not known.</returns>
    public long Of(LocalTransaction transaction) => _progress.Of(transaction);

    /// <summary>
    /// Asks the nodes where an attempt may be when it last got on there, unless they have been asked lately.
    /// </summary>
    public void Ask(LocalTransaction transaction) => Ask(transaction, from: NodeId.None, fromAgent: false);

    /// <summary>A question, or the answer to one.</summary>
    public void Heard(in Message message)
    {
        if (events.Find(message.Transaction) is not { IsEnded: false } transaction) return;
        var node = transaction.Edges ??= new();
        if (!AliveQuestion.Is(message))
        {
            var gotOnBefore = AliveAnswer.Read(message).GotOnBefore;
            node.ChangedAt = Math.Max(node.ChangedAt, context.Now - Math.Max(0, gotOnBefore));
            return;
        }

        var now = context.Now;
        if (now - _walkedAt >= context.Options.TickMicroseconds) Begin();
        if (Of(transaction) is > 0 and var at)
            mail.Send(message.From, new AliveAnswer { Transaction = transaction.Id, GotOnBefore = now - at });

        Ask(transaction, message.From, fromAgent: !AliveQuestion.Read(message).IsToAgent);
    }

    private void Ask(LocalTransaction transaction, NodeId from, bool fromAgent)
    {
        var node = transaction.Edges ??= new();
        if (context.Now - node.AskedAt < context.Options.ResendMicroseconds) return;
        node.AskedAt = context.Now;
        foreach (var (place, isAgent) in WaitPlaces.Of(context.Node, events, transaction, fromAgent))
        {
            if (place == from) continue;
            mail.Send(place, new AliveQuestion { Transaction = transaction.Id, IsToAgent = isAgent });
        }
    }
}
