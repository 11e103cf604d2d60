using Polyjuice.Agents;
using Polyjuice.Contracts;
using Polyjuice.Partitions;
using Polyjuice.Policies;
using Polyjuice.Reservations;
using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Grains;
using Polyjuice.Simulation.Network;
using Polyjuice.Simulation.Storage;
using Polyjuice.Storage;
using Polyjuice.Tests.Protocol;
using Polyjuice.Versions;
using Polyjuice.Waits;
using Polyjuice.Wire;

namespace Polyjuice.Tests.Partitions;

/// <summary>
/// The owner of partition 0, to which a test speaks in single messages, as agents and other owners do. What it answers
/// reaches nobody, and is what the test looks at. Appends take 200 µs; nothing is repeated within a second.
/// </summary>
internal sealed class OwnerBench
{
    /// <summary>Epoch that the made-up owners of other partitions have.</summary>
    public const long OtherEpoch = 7;

    /// <summary>Until what lingers, because nobody waits for it, is in the log; in microseconds.</summary>
    public const long Lingering = 10_000;

    private readonly Scenario _scenario;
    private readonly WireRule _said;
    private int _heard;
    private long _sequence = 1_000_000;

    public OwnerBench(bool staged = false)
    {
        _scenario = new Scenario(
            ProtocolBreaks.None,
            PolicyActions.ReadDirty,
            staged: staged,
            configure: static options =>
            {
                options.ResendMicroseconds = 1_000_000;
                options.PrepareTimeoutMicroseconds = 1_000_000;
            });
        Node = _scenario.FirstOwner(0);
        Owner = Node.Engine.Partitions.Owner(0)!;

        // Its successor's too.
        var (owner, successor) = (Node.Id, _scenario.Spare.Id);
        _said = _scenario.Wire.Drop(message => message.From == owner || message.From == successor);
    }

    public SimulatedNode Node { get; private set; }

    public PartitionOwner Owner { get; private set; }

    public LogTap Log => _scenario.Log;

    public NodeId Agent => _scenario.Agent.Id;

    public bool Serves => Node.Engine.Owns(0);

    /// <summary>A timestamp that the owner's durable ceiling covers, and above all that there is.</summary>
    public long Soon(int more = 0) => Math.Max(Node.Engine.Clock.Last, Node.Engine.Clock.Physical) + 1 + more;

    public TransactionId NewId() => new(Agent, ++_sequence);

    /// <summary>An account of this partition: 0 or 3.</summary>
    public Participant Participant(int account) => Owner.GetParticipant(_scenario.Cluster.Accounts.KeyOf(account));

    public ParticipantUse Use(int partition, bool writes = true) =>
        new(partition, partition == 0 ? Owner.Epoch : OtherEpoch, _scenario.FirstOwner(partition).Id, 1, writes);

    /// <summary>
    /// A transaction that accesses accounts here, each once: those that it updates are not among those that it reads.
    /// </summary>
    public Branch Access(int[] updates, int[]? reads = null, TransactionId? id = null)
    {
        var branch = Owner.BranchForAccess(Node.Engine.Transactions.FindOrCreateShell(id ?? NewId(), "T"))!;
        foreach (var account in reads ?? []) Add(account, AccessKind.Read);
        foreach (var account in updates) Add(account, AccessKind.Update).Write = Version(branch, account);
        return branch;

        AccessEntry Add(int account, AccessKind kind)
        {
            var entry = new AccessEntry(Participant(account).Tip) { Number = ++branch.Accesses };
            branch.Entries.Add(entry);
            Participant(account).List(branch, kind, listed: true);
            return entry;
        }
    }

    /// <summary>A transaction reserves an account here, which nobody else holds.</summary>
    public void Hold(Branch holder, int account) =>
        Node.Turn(
            () => Participant(account).ReservationsOf(Node.Engine.Queues)
                .TryHold(holder.Transaction, isExclusive: true, siteId: 0));

    /// <summary>What became of a transaction, for good.</summary>
    public Message Decided(TransactionId id, bool committed, long timestamp) =>
        Outcome(id, (committed ? MessageFlags.Committed : MessageFlags.Aborted) | MessageFlags.Final, timestamp);

    /// <summary>Says something to the owner, and gives it the time for an append or two.</summary>
    /// <returns>
    /// What it has said since the test looked last, by kind and partition: who hears of it first is up to the order of
    /// nodes. Without what is said to agents for speed alone.
    /// </returns>
    public List<Message> Hear(params ReadOnlySpan<Message> messages)
    {
        foreach (var message in messages)
        {
            var heard = message;
            Node.Turn(() =>
            {
                // As it does with every batch that arrives.
                Node.Engine.Timers.EnsureTicking();
                Deliver(heard);
            });
        }

        return Wait(1_000);
    }

    public List<Message> Wait(long microseconds)
    {
        _scenario.Run(microseconds);
        var said = _said.Taken.Skip(_heard)
            .Where(taken => taken.From == Node.Id)
            .Select(static taken => (Message)taken.Content!)
            .Where(static message => message.Kind is not (MessageKind.Doomed or MessageKind.News))
            .OrderBy(static message => message.Kind)
            .ThenBy(static message => message.Partition)
            .ToList();
        _heard = _said.Taken.Count;
        return said;
    }

    /// <summary>
    /// Another node takes the partition over, and knows what its log says. It is the bench's owner from now on; the one
    /// before lives, and does not know.
    /// </summary>
    /// <returns>What it has said since.</returns>
    public List<Message> TakeOver()
    {
        var before = Owner;
        _scenario.TakeOver(0, _scenario.Spare);
        Node = _scenario.Spare;
        Owner = Node.Engine.Partitions.Owner(0)!;

        // As if its grains were active there.
        foreach (var participant in before.Participants)
            Owner.GetParticipant(participant.Key).Adapter = participant.Adapter;
        return Wait(1_000);
    }

    /// <summary>The owner's durable ceiling is ahead of its clock from now on, until that has passed it.</summary>
    /// <returns>Where it is.</returns>
    public long RaiseCeiling()
    {
        Hear(Prepare(Access([], reads: [3]), manager: -1));
        Assert.InRange(Node.Engine.Clock.Physical, 0, Owner.Ceiling - 1);
        return Owner.Ceiling;
    }

    /// <summary>The owner's node hears that a partition has another owner since that epoch.</summary>
    public void News(int partition, long epoch) =>
        Node.Turn(
            () => Node.Engine.Mail.SendLocal(new Message
            {
                Kind = MessageKind.News, From = Agent, Partition = partition, Epoch = epoch
            }));

    /// <summary>
    /// From now on no append works; one that was tried meanwhile has failed for so long that the log is out.
    /// </summary>
    public void BreakLog()
    {
        RaiseCeiling();
        Log.Rule(AppendFate.FailBefore, static (_, _) => true);
        Hear(Prepare(Access([0]), manager: 1));
        Wait(Node.Engine.Options.ResendMicroseconds * 3 / 2);
        Assert.True(Owner.IsLogOut);
    }

    /// <summary>Records in the log since the bench was made.</summary>
    public List<TappedRecord> Records() =>
        [
            .. _scenario.Cluster.Logs.Batches(0).Skip(_scenario.WarmBatches[0])
            .SelectMany(static batch => LogTap.Read(batch.Bytes))
        ];

    public bool HasLogged(LogRecordKind kind, TransactionId id) =>
        Records().Exists(record => record.Kind == kind && record.Transaction == id);

    public Message Prepare(
        Branch branch, int round = 1, long timestamp = 0, ParticipantUse[]? parts = null, int manager = 0) => new()
    {
        Kind = MessageKind.Prepare,
        Transaction = branch.Id,
        From = Agent,
        Partition = 0,
        Epoch = Owner.Epoch,
        Round = round,
        Timestamp = timestamp == 0 ? Soon() : timestamp,
        Manager = manager,
        ManagerEpoch = manager == 0 ? Owner.Epoch : OtherEpoch,
        Count = branch.Accesses,
        Parts = parts ?? [Use(0), Use(1)],
    };

    /// <summary>The vote of another partition for a transaction that this one manages.</summary>
    public Message Vote(
        TransactionId id, int partition, long timestamp, int round = 1, bool logged = true,
        ParticipantUse[]? parts = null, params CommitDependency[] dependencies) => new()
    {
        Kind = MessageKind.Vote,
        Transaction = id,
        From = NodeOf(partition),
        FromPartition = partition,
        Partition = 0,
        Epoch = OtherEpoch,
        Round = round,
        Timestamp = timestamp,
        ManagerEpoch = Owner.Epoch,
        Flags = logged ? MessageFlags.Logged : MessageFlags.None,
        Parts = parts ?? [Use(0), Use(1)],
        Dependencies = dependencies,
    };

    /// <summary>A question about a transaction that this partition manages, by the owner of another one.</summary>
    public Message Query(
        TransactionId id, int partition = 1, MessageKind kind = MessageKind.Query,
        MessageFlags flags = MessageFlags.None) => new()
    {
        Kind = kind,
        Transaction = id,
        From = NodeOf(partition),
        FromPartition = partition,
        Partition = 0,
        ManagerEpoch = Owner.Epoch,
        Flags = flags,
    };

    /// <summary>What an owner says of a transaction that another one of this partition depends on.</summary>
    public static Message Answer(Branch branch, TransactionId other, int partition, MessageFlags outcome) => new()
    {
        Kind = MessageKind.DependencyAnswer,
        Transaction = branch.Id,
        Other = other,
        Partition = 0,
        FromPartition = partition,
        Flags = outcome,
    };

    /// <inheritdoc cref="Answer(Branch, TransactionId, int, MessageFlags)"/>
    public static Message Answer(Branch branch, CommitDependency dependency, MessageFlags outcome) =>
        Answer(branch, dependency.Transaction, dependency.Partition, outcome);

    /// <summary>The only reply to a prepare.</summary>
    public Message Reply(in Message prepare) =>
        Assert.Single(Hear(prepare), static message => message.Kind == MessageKind.PrepareReply);

    /// <summary>What this partition knows as a transaction's manager, if it does.</summary>
    public Decision? Decision(Branch branch) => Owner.Decisions.SingleOrDefault(decision => decision.Id == branch.Id);

    public DecisionState StateOf(Branch branch) => Decision(branch)!.State;

    /// <summary>What the manager, of partition 1, says.</summary>
    public Message Outcome(TransactionId id, MessageFlags flags, long timestamp = 0) => new()
    {
        Kind = MessageKind.Outcome,
        Transaction = id,
        From = NodeOf(1),
        FromPartition = 1,
        Partition = 0,
        Timestamp = timestamp,
        Flags = flags,
    };

    public NodeId NodeOf(int partition) => _scenario.FirstOwner(partition).Id;

    private StateVersion Version(Branch branch, int account) =>
        new(Participant(account), new VersionId(branch.Id, ++branch.Writes), branch, Participant(account).Tip)
        {
            Content = new Account()
        };

    private void Deliver(in Message message)
    {
        switch (message.Kind)
        {
            case MessageKind.Prepare:
                Owner.OnPrepare(message);
                break;
            case MessageKind.Vote:
                Owner.OnVote(message);
                break;
            case MessageKind.Query or MessageKind.AbortRequest:
                Owner.OnQuery(message);
                break;
            case MessageKind.Outcome:
                Owner.OnOutcome(message);
                break;
            case MessageKind.Acknowledge:
                Owner.OnAcknowledge(message);
                break;
            case MessageKind.DependencyQuery:
                Owner.OnDependencyQuery(message);
                break;
            case MessageKind.DependencyAnswer:
                Owner.OnDependencyAnswer(message);
                break;
            case MessageKind.VoteQuery:
                Owner.OnVoteQuery(message);
                break;
            default:
                throw new ArgumentException($"No owner takes {message.Kind}.");
        }
    }
}
