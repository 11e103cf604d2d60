using Polyjuice.Agents;
using Polyjuice.Contracts;
using Polyjuice.Partitions;
using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Specification;
using Polyjuice.Simulation.Specification.Events;
using Polyjuice.Storage;
using Polyjuice.Versions;
using Polyjuice.Wire;

namespace Polyjuice.Simulation.Tests.Specification;

/// <summary>
/// A trace made by hand. At its start node 1 owns log 0 and node 2 owns log 1, with ceilings that nothing here reaches;
/// node 3 is the agent of all transactions. Each log has one participant, <see cref="X"/> and <see cref="Y"/>.
/// </summary>
internal sealed class Trace
{
    public const long Ceiling = 1_000_000;
    public static readonly NodeId First = new(1);
    public static readonly NodeId Second = new(2);
    public static readonly NodeId Agent = new(3);
    public static readonly NodeId Successor = new(4);
    public static readonly ParticipantKey X = new("X", "value", "Account");
    public static readonly ParticipantKey Y = new("Y", "value", "Account");

    private readonly Dictionary<NodeId, long> _batches = [];
    private readonly Dictionary<int, long> _ends = [];

    public Trace()
    {
        Own(First, 0);
        Own(Second, 1);
        Write(0, Record(LogRecordKind.Ceiling));
        Write(1, Record(LogRecordKind.Ceiling));
    }

    public ProtocolSpecification Specification { get; } = new();

    public static TransactionId T(int number) => new(Agent, number);

    public static VersionId Version(int transaction, int write = 1) => new(T(transaction), write);

    public static LoggedRecord Record(LogRecordKind kind, int transaction = 0, bool committed = true) =>
        new()
        {
            Kind = kind,
            Id = transaction == 0 ? default : T(transaction),
            Committed = committed,
            Ceiling = kind == LogRecordKind.Ceiling ? Ceiling : 0
        };

    /// <summary>A node fences a log, reads it, and serves.</summary>
    public long Own(NodeId node, int partition, params int[] undecided)
    {
        var epoch = Fence(node, partition);
        Specification.Accept(new OwnerFenced(node, partition, epoch));
        Specification.Accept(new OwnerServes(node, partition, epoch, [.. undecided.Select(T)]));
        return epoch;
    }

    /// <summary>A fence gets into a log. Returns the epoch that it begins.</summary>
    public long Fence(NodeId node, int partition)
    {
        var position = EndOf(partition);
        Specification.Accept(
            new BatchWritten(
                partition, position, NextBatch(node), [new LoggedRecord { Kind = LogRecordKind.Fence, Node = node }]));
        _ends[partition] = position + 1;
        return position + 1;
    }

    public NodeId OwnerOf(int partition) => partition == 0 ? First : Second;

    public long EpochOf(int partition) => 1;

    public long EndOf(int partition) => _ends.GetValueOrDefault(partition);

    public BatchId NextBatch(NodeId node) => new(node.Value, _batches[node] = _batches.GetValueOrDefault(node) + 1);

    /// <summary>The owner asks for an append, and it is done.</summary>
    public void Write(int partition, params LoggedRecord[] records) => Write(OwnerOf(partition), partition, records);

    public void Write(NodeId node, int partition, params LoggedRecord[] records)
    {
        var asked = Ask(node, partition, records);
        Specification.Accept(new BatchWritten(partition, asked.Position, asked.Batch, asked.Records));
        _ends[partition] = asked.Position + 1;
    }

    public AppendAsked Ask(NodeId node, int partition, params LoggedRecord[] records)
    {
        var asked = new AppendAsked(node, partition, EndOf(partition), NextBatch(node), null, records);
        Specification.Accept(asked);
        return asked;
    }

    /// <summary>A transaction reads, or updates, at these logs.</summary>
    public void Access(int transaction, params int[] partitions)
    {
        foreach (var partition in partitions)
            Specification.Accept(
                new AccessServed(OwnerOf(partition), partition, T(transaction), KeyOf(partition), default, 1));
    }

    public static ParticipantKey KeyOf(int partition) => partition == 0 ? X : Y;

    public Message PrepareOf(
        int transaction, int partition, long timestamp, int round = 1, int manager = 0, params int[] parts) => new()
    {
        Kind = MessageKind.Prepare, Transaction = T(transaction), Partition = partition, Epoch = EpochOf(partition),
        Round = round, Timestamp = timestamp, Manager = manager, ManagerEpoch = manager < 0 ? 0 : EpochOf(manager),
        Parts = PartsOf(parts.Length == 0 ? [partition] : parts),
    };

    public static ParticipantUse[] PartsOf(params int[] parts) =>
        [.. parts.Select(part => new ParticipantUse(part, 1, new NodeId(part + 1), 1, Writes: true))];

    /// <summary>The agent asks an owner to order a transaction, and the owner does.</summary>
    public void Order(
        int transaction, int partition, long timestamp, OrderedAccess access, int round = 1, int manager = 0,
        int[]? parts = null, int[]? dependencies = null, bool staged = false)
    {
        var prepare = PrepareOf(transaction, partition, timestamp, round, manager, parts ?? [partition]);
        Specification.Accept(new PrepareSent(prepare));
        Specification.Accept(
            OrderedOf(transaction, partition, timestamp, access, round, manager, parts, dependencies, staged));
    }

    public TransactionOrdered OrderedOf(
        int transaction, int partition, long timestamp, OrderedAccess access, int round = 1, int manager = 0,
        int[]? parts = null, int[]? dependencies = null, bool staged = false) =>
        new(OwnerOf(partition), partition, T(transaction))
        {
            Round = round, Timestamp = timestamp, Manager = manager, ManagerEpoch = manager < 0 ? 0 : EpochOf(manager),
            Parts = PartsOf(parts ?? [partition]), Accesses = [access],
            Dependencies = [.. (dependencies ?? []).Select(T)],
            WillLog = access.Write is not null || (manager >= 0 && dependencies is { Length: > 0 }), IsStaged = staged,
            Now = timestamp,
        };

    public static OrderedAccess Update(
        int partition, VersionId read, int transaction, long readTimestamp, int write = 1) =>
        new(KeyOf(partition), read, readTimestamp, Version(transaction, write));

    public static OrderedAccess Read(int partition, VersionId read, long readTimestamp) =>
        new(KeyOf(partition), read, readTimestamp, null);

    public LoggedRecord PrepareRecord(
        int transaction, long timestamp, VersionId read, int partition = 0, int round = 1, int manager = 0,
        int[]? parts = null, int[]? dependencies = null, bool staged = false)
    {
        var prepare = new RecoveredPrepare
        {
            IsStaged = staged, Id = T(transaction), Type = "T", Round = round, Timestamp = timestamp, Manager = manager,
            ManagerEpoch = 1, Parts = PartsOf(parts ?? [partition]),
            Writes = [new RecoveredVersion(KeyOf(partition), Version(transaction), read, "codec", [])],
            Dependencies = [.. (dependencies ?? []).Select(d => (T(d), 1L))],
        };
        return new LoggedRecord
        {
            Kind = staged ? LogRecordKind.Staged : LogRecordKind.Prepare, Id = prepare.Id, Prepare = prepare
        };
    }

    public static LoggedRecord CommitRecord(
        int transaction, long timestamp, int[] parts, int round = 1, int[]? acknowledge = null,
        int[]? dependencies = null)
    {
        var commit = new RecoveredCommit(
            T(transaction), round, timestamp, PartsOf(parts), [.. acknowledge ?? []],
            [.. (dependencies ?? []).Select(d => new CommitDependency(T(d), 0, 1))]);
        return new LoggedRecord { Kind = LogRecordKind.Commit, Id = commit.Id, Commit = commit };
    }

    public Message VoteOf(
        int transaction, int partition, long timestamp, int round = 1, int manager = 0, bool logged = true,
        int[]? dependencies = null) => new()
    {
        Kind = MessageKind.Vote, Transaction = T(transaction), FromPartition = partition, Partition = manager,
        Epoch = EpochOf(partition), Round = round, Timestamp = timestamp,
        ManagerEpoch = manager < 0 ? 0 : EpochOf(manager), Flags = logged ? MessageFlags.Logged : MessageFlags.None,
        Dependencies = [.. (dependencies ?? []).Select(d => new CommitDependency(T(d), partition, 1))],
    };

    public void Say(int partition, Message message) =>
        Specification.Accept(new OwnerSaid(OwnerOf(partition), partition, message));

    public void Say(NodeId node, int partition, Message message) =>
        Specification.Accept(new OwnerSaid(node, partition, message));

    public static Message Word(MessageKind kind, int transaction, int from, MessageFlags flags, int to = 1) =>
        new() { Kind = kind, Transaction = T(transaction), FromPartition = from, Partition = to, Flags = flags };

    public void Tell(int transaction, AbortReason? abort = null, long timestamp = 0, long now = 0) =>
        Specification.Accept(
            new CallerTold(Agent, T(transaction), abort, false, timestamp, now == 0 ? timestamp : now));

    /// <summary>
    /// A transaction updates at both logs, managed by log 0: it is
    /// ordered, and its prepares are durable. Not voted for yet.
    /// </summary>
    public void Prepare(
        int transaction, long timestamp, bool staged = false, VersionId readX = default, VersionId readY = default)
    {
        Access(transaction, 0, 1);
        OrderBoth(transaction, timestamp, staged, readX, readY);
        Write(0, PrepareRecord(transaction, timestamp, readX, 0, parts: [0, 1], staged: staged));
        Write(1, PrepareRecord(transaction, timestamp, readY, 1, parts: [0, 1]));
    }

    public void OrderBoth(
        int transaction, long timestamp, bool staged = false, VersionId readX = default, VersionId readY = default)
    {
        Order(transaction, 0, timestamp, Update(0, readX, transaction, timestamp), parts: [0, 1], staged: staged);
        Order(transaction, 1, timestamp, Update(1, readY, transaction, timestamp), parts: [0, 1]);
    }

    public void Vote(int transaction, long timestamp)
    {
        Say(0, VoteOf(transaction, 0, timestamp));
        Say(1, VoteOf(transaction, 1, timestamp));
    }

    /// <summary>The rest of such a transaction's way, to its commit record and the answer.</summary>
    public void Commit(int transaction, long timestamp)
    {
        Vote(transaction, timestamp);
        Write(0, CommitRecord(transaction, timestamp, [0, 1], acknowledge: [1]));
        Say(0, Word(MessageKind.AgentOutcome, transaction, 0, MessageFlags.Committed));
    }

    /// <summary>The event is refused, by this rule.</summary>
    public static void Refused(string rule, Action take) =>
        Assert.Equal($"{Rejected.Kind} {rule}", Assert.Throws<SimulationFailedException>(take).Kind);
}
