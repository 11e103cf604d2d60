using Polyjuice.Commit;
using Polyjuice.Hosting;

namespace Polyjuice.Execution;

// What many transactions have nothing of is kept in objects of its own: the engine makes a transaction for every call.
internal sealed partial class LocalTransaction
{
    private Elsewhere? _elsewhere;
    private Resumption? _resumption;

    /// <summary>Partitions of other nodes that it has accessed, as reports say; this node's own are in <see cref="Branches"/>.</summary>
    public List<ParticipantUse>? Remote
    {
        get => _elsewhere?.Remote;
        set => (_elsewhere ??= new()).Remote = value;
    }

    /// <summary>Nodes that asked to be told of its progress (agent's node only).</summary>
    public List<(NodeId Node, int Position)>? Subscribers
    {
        get => _elsewhere?.Subscribers;
        set => (_elsewhere ??= new()).Subscribers = value;
    }

    /// <summary>Whether this node has asked the agent's.</summary>
    public int SubscribedTo
    {
        get => _elsewhere?.SubscribedTo ?? 0;
        set => (_elsewhere ??= new()).SubscribedTo = value;
    }

    /// <summary>Calls to other nodes that have not been answered: where probes go on, and whom an abort must reach.</summary>
    public List<OutgoingCall>? RemoteCalls
    {
        get => _elsewhere?.RemoteCalls;
        set => (_elsewhere ??= new()).RemoteCalls = value;
    }

    /// <summary>
    /// Calls of it that were made here, of which the host is to hear when they are not worth waiting for any longer.
    /// </summary>
    public List<OutgoingCall>? Queued
    {
        get => _elsewhere?.Queued;
        set => (_elsewhere ??= new()).Queued = value;
    }

    /// <summary>Other nodes that it has called, directly or not.</summary>
    public List<NodeId>? Visited
    {
        get => _elsewhere?.Visited;
        set => (_elsewhere ??= new()).Visited = value;
    }

    /// <summary>It calls another node, or has called it somewhere.</summary>
    public void Visit(NodeId node)
    {
        var visited = Visited ??= [];
        if (!visited.Contains(node)) visited.Add(node);
    }

    /// <summary>Calls from other nodes that have been entered here (R1c).</summary>
    public HashSet<(NodeId Caller, long Call)>? EnteredCalls
    {
        get => _elsewhere?.EnteredCalls;
        set => (_elsewhere ??= new()).EnteredCalls = value;
    }

    /// <summary>The record of accesses in order, kept while a resume could use it.</summary>
    public List<AccessRecord>? Record
    {
        get => _resumption?.Record;
        set
        {
            if (_resumption is not null || value is not null) (_resumption ??= new()).Record = value;
        }
    }

    /// <summary>All accesses up to this number have passed an early validation here.</summary>
    public int ValidatedUpTo
    {
        get => _resumption?.ValidatedUpTo ?? 0;
        set => (_resumption ??= new()).ValidatedUpTo = value;
    }

    /// <summary>While the body runs again: accesses up to this number are served from the record.</summary>
    public int ReplayUpTo
    {
        get => _resumption?.ReplayUpTo ?? 0;
        set
        {
            if (_resumption is not null || value != 0) (_resumption ??= new()).ReplayUpTo = value;
        }
    }

    /// <summary>Set with <see cref="Doom"/>: the attempt can go on from this access number instead of starting over; −1 if not.</summary>
    public int ResumeAt
    {
        get => _resumption?.ResumeAt ?? -1;
        set
        {
            if (_resumption is not null || value != -1) (_resumption ??= new()).ResumeAt = value;
        }
    }

    // Of a transaction that involves other nodes.
    private sealed class Elsewhere
    {
        public List<ParticipantUse>? Remote;
        public List<(NodeId Node, int Position)>? Subscribers;
        public int SubscribedTo;
        public List<OutgoingCall>? RemoteCalls;
        public List<OutgoingCall>? Queued;
        public List<NodeId>? Visited;
        public HashSet<(NodeId Caller, long Call)>? EnteredCalls;
    }

    // Of a transaction that validates early, and may be resumed where that fails.
    private sealed class Resumption
    {
        public List<AccessRecord>? Record;
        public int ValidatedUpTo;
        public int ReplayUpTo;
        public int ResumeAt = -1;
    }
}
