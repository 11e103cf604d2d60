using Polyjuice.Contracts;
using Polyjuice.Storage;
using Polyjuice.Wire;

namespace Polyjuice.Partitions;

/// <summary>What agents have said of their oldest live attempts: all earlier ones are done with (R1c).</summary>
internal sealed class KnownAgents(EngineContext context, OldestAttempt live, Mail mail)
{
    private readonly Dictionary<NodeId, long> _oldestLive = [];
    private readonly Dictionary<NodeId, long> _lastNews = [];

    /// <summary>The nodes that have been heard of.</summary>
    public IReadOnlyCollection<NodeId> Known => _oldestLive.Keys;

    public bool IsAgentDone(TransactionId id) => id.Sequence < OldestLiveOf(id.Node);

    public long OldestLiveOf(NodeId node) =>
        node == context.Node ? live.Number : node.IsForeign ? long.MaxValue : _oldestLive.GetValueOrDefault(node);

    /// <summary>Each agent's oldest live attempt, as far as it was heard of.</summary>
    public IReadOnlyCollection<KeyValuePair<NodeId, long>> KnownOldestLive()
    {
        _oldestLive[context.Node] = live.Number;
        return [.. _oldestLive.OrderBy(agent => agent.Key)];
    }

    /// <summary>What a log or a call says of an agent's oldest live attempt, which never goes back.</summary>
    public void NoteOldestLive(NodeId node, long oldest)
    {
        if (node != context.Node) _oldestLive[node] = Math.Max(_oldestLive.GetValueOrDefault(node), oldest);
    }

    /// <summary>A batch has come, which says it too.</summary>
    public void Heard(NodeId node, long oldest)
    {
        _lastNews[node] = context.Now;
        NoteOldestLive(node, oldest);
    }

    /// <summary>None of its attempts goes on.</summary>
    public void NoteDead(NodeId node) => _oldestLive[node] = LogRecords.NoneLive;

    /// <summary>Asks a node for its oldest live transaction, unless it has spoken lately.</summary>
    public void AskForNews(NodeId node)
    {
        var now = context.Now;
        if (node == context.Node || node.IsForeign) return;
        if (Math.Abs(now - _lastNews.GetValueOrDefault(node)) < context.Options.ResendMicroseconds) return;
        _lastNews[node] = now;
        mail.Send(node, new NewsMessage { IsQuestion = true });
    }
}
