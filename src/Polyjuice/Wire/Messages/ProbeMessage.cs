using Polyjuice.Contracts;

namespace Polyjuice.Wire;

/// <summary>Node → where an attempt may wait: looks for a wait cycle across nodes (Chandy, Misra, Haas 1983).</summary>
internal readonly struct ProbeMessage
{
    /// <summary>Whom it has reached.</summary>
    public TransactionId At { get; init; }

    /// <summary>So often it was sent on.</summary>
    public int Hops { get; init; }

    /// <summary>For whom it was sent.</summary>
    public TransactionId Initiator { get; init; }

    /// <summary>When the first attempt of that began; 0 from engines of before.</summary>
    public long InitiatorAge { get; init; }

    /// <summary>The node that sent it first.</summary>
    public NodeId Origin { get; init; }

    /// <summary>Which of that node's probes it is.</summary>
    public int Round { get; init; }

    /// <summary>
    /// Its sender has been waited for for a short time: an older one where it ends is to send its own soon.
    /// </summary>
    public bool IsSoon { get; init; }

    /// <summary>It goes to the agent's node, as that.</summary>
    public bool IsToAgent { get; init; }

    /// <summary>When the first attempt of the youngest that it has met began.</summary>
    public long YoungestAge { get; private init; }

    /// <summary>The youngest that it has met, with the node where that waits; none before it has met one.</summary>
    public bool HasMetAny => Met is { Length: > 0 };

    /// <inheritdoc cref="HasMetAny"/>
    public TransactionId Youngest => Met![0].Transaction;

    /// <inheritdoc cref="HasMetAny"/>
    public NodeId YoungestNode => new(Met![0].Epoch);

    // As it is in the message, which is sent on to several nodes.
    private CommitDependency[]? Met { get; init; }

    /// <summary>The probe once it has met a younger one.</summary>
    public ProbeMessage MeetingYounger(TransactionId youngest, long age, NodeId waitsAt) =>
        this with { YoungestAge = age, Met = [new CommitDependency(youngest, 0, waitsAt.Value)] };

    public static ProbeMessage Read(in Message message) => new()
    {
        At = message.Transaction,
        Hops = message.Count,
        Initiator = message.Other,
        InitiatorAge = message.ManagerEpoch,
        Origin = new NodeId(message.Epoch),
        Round = message.Round,
        IsSoon = message.Has(MessageFlags.Logged),
        IsToAgent = message.Has(MessageFlags.ToAgent),
        YoungestAge = message.Timestamp,
        Met = message.Dependencies,
    };

    public static implicit operator Message(in ProbeMessage probe) => new()
    {
        Kind = MessageKind.Probe,
        Transaction = probe.At,
        Count = probe.Hops,
        Other = probe.Initiator,
        ManagerEpoch = probe.InitiatorAge,
        Epoch = probe.Origin.Value,
        Round = probe.Round,
        Timestamp = probe.YoungestAge,
        Dependencies = probe.Met,
        Flags = MessageFlags.Logged.When(probe.IsSoon) | MessageFlags.ToAgent.When(probe.IsToAgent),
    };
}
