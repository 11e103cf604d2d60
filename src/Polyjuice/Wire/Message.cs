using Polyjuice.Contracts;

namespace Polyjuice.Wire;

/// <summary>What engines say to each other. The comment of each names sender and receiver.</summary>
internal enum MessageKind : byte
{
    /// <summary>
    /// Agent → owner: order this transaction at this timestamp (R1); names epochs (R1b), the manager's too (V2).
    /// </summary>
    Prepare = 1,

    /// <summary>
    /// Within an agent's node: what its own participants waited for has been ordered; go on with the round.
    /// </summary>
    Continue,

    /// <summary>Owner → agent: ordered, or refused with a timestamp that would do, or refused for good (R2).</summary>
    PrepareReply,

    /// <summary>Agent → nodes involved: every participant has ordered it. Speed only.</summary>
    Sealed,

    /// <summary>Agent → nodes involved: aborted before anything was prepared.</summary>
    Abandon,

    /// <summary>Agent or participant → manager: abort it if you still can, and say what became of it (V3).</summary>
    AbortRequest,

    /// <summary>Participant → manager: what became of it?</summary>
    Query,

    /// <summary>Manager → participant: committed or aborted.</summary>
    Outcome,

    /// <summary>Manager → agent: committed or aborted.</summary>
    AgentOutcome,

    /// <summary>
    /// Participant → manager, or → agent when nothing was written: V1. An
    /// aborted one answers a vote query: there is none, and never will be.
    /// </summary>
    Vote,

    /// <summary>Participant → manager: the outcome is in my log (V6).</summary>
    Acknowledge,

    /// <summary>Manager or agent → participant where a dependency arose: what became of it? (V5)</summary>
    DependencyQuery,

    /// <summary>The answer.</summary>
    DependencyAnswer,

    /// <summary>Node → agent's node: tell me when it has got that far.</summary>
    Subscribe,

    /// <summary>Agent's node → subscriber, or callee's node → caller's node: how far it has got.</summary>
    Progress,

    /// <summary>Node → nodes involved: expose what it has buffered with you. Speed only; may be lost.</summary>
    Expose,

    /// <summary>
    /// Node → agent: a running attempt can't commit, so let everyone stop working for it. Speed only.
    /// </summary>
    Doomed,

    /// <summary>
    /// Looks for a wait cycle across nodes (Chandy, Misra, Haas 1983): who sent it (Other, Epoch, Round) and its age
    /// (ManagerEpoch; 0 from engines of before), whom it has reached, and the youngest that it has met (Timestamp, and
    /// Dependencies with the node where that waits).
    /// </summary>
    Probe,

    /// <summary>The probe came back to the one that sent it: this transaction is the youngest in a cycle.</summary>
    Victim,

    /// <summary>
    /// Owner → agent's node: which is your oldest live transaction? And back: the answer is in the header of every
    /// batch (R1c). An agent that has nothing to do says nothing otherwise, and what it has finished would never be
    /// forgotten. With an epoch: the partition has an owner of that epoch now.
    /// </summary>
    News,

    /// <summary>
    /// Caller's node → callee's: something runs beside the call, so that its transaction may wait elsewhere while it
    /// waits with you. Speed only; repeated while the call is out.
    /// </summary>
    Parallel,

    /// <summary>
    /// Agent → nodes visited: the dry run is over, and what it has made there is of no more use. Speed only: else it
    /// goes with the agent's oldest live attempt, or with the run's time.
    /// </summary>
    DryRunEnded,

    /// <summary>Agent → owner → next owner: reserve these participants from this one on (Count), and hand the rest on
    /// at once; from there on the agent is to be told of what is held (Epoch), so many of those before were not at once
    /// (Round), and so often the attempt has given way (ManagerEpoch). Its place in the order of those who reserve goes
    /// along (the sequence of Other), or 0 before it has joined a queue. Speed only; the agent repeats it. With
    /// <see cref="MessageFlags.Asks"/>, owner → the agent of who holds what is waited for (Other): tell the agent of
    /// who waits whether you get on.</summary>
    Reserve,

    /// <summary>
    /// Owner → agent: from one entry of the plan (Epoch) to another (Count) all is held (final), after so many waits
    /// (Round), as of a generation (ManagerEpoch); or the queue where it waits has moved so long ago (Timestamp, in
    /// microseconds), or the one where its holder does; or there is a grain to be loaded first (unknown). Speed only.
    /// </summary>
    Reserved,

    /// <summary>
    /// Agent → owners of a chain: it runs without what it does not hold yet, or without any of it (final). Speed only.
    /// </summary>
    Withdraw,

    /// <summary>Owner → owners of other partitions: these participants are hot (Plan). Speed only; repeated.</summary>
    Hot,

    /// <summary>
    /// Agent → owners: have the grains of these participants activated,
    /// as far as they are yours (Plan). Speed only; the agent repeats it.
    /// </summary>
    Load,

    /// <summary>Owner → agent: they are; so many were not (Count), or can't be (unknown). Speed only.</summary>
    Loaded,

    /// <summary>
    /// A later epoch of the manager → participant: is your prepare
    /// of this round durable? If not, it never will be (V2).
    /// </summary>
    VoteQuery,

    /// <summary>
    /// Node → the one that decides for all how a type's transactions are let in (asks): of this type (Epoch, a hash of
    /// its name) so many have committed here (ManagerEpoch) in so much open time (Timestamp, in microseconds),
    /// conflicting or not (Count). And back: reserve (committed), or run at once and keep writes private (Count = 1),
    /// or run at once by the table's rows. Speed only; repeated.
    /// </summary>
    Admission,

    /// <summary>
    /// Owner → agent of who holds a reservation (asks): an older one (Other) waits for
    /// this entry of its plan (Count); let it go first, if the body has not begun. And
    /// back: it may, as of this generation (ManagerEpoch). Speed only; repeated.
    /// </summary>
    GiveWay,

    /// <summary>
    /// Node → the one that finds out for all how many attempts of contended types may run on a silo (asks): so many
    /// have ended here without a conflict (ManagerEpoch) and by one (Timestamp), so many run now (Epoch) and did at the
    /// most since it was told last (Count), and one was held back (committed). And back: so many may run (Count), of
    /// which conflicts have aborted this share (Timestamp, in millionths). Speed only; repeated.
    /// </summary>
    AttemptLimit,

    /// <summary>
    /// Node → the one that chooses a table for all (asks): three counts (Epoch, Timestamp, ManagerEpoch) of a group
    /// (Round) of <see cref="Agents.LoadCounts"/>. And back: the table of this index is in force (Count). Speed only;
    /// repeated.
    /// </summary>
    Choice,

    /// <summary>
    /// Node → where an attempt may be (asks; agent's node: to agent): when did it last get on? And back: so long ago
    /// (Timestamp, in microseconds). Speed only; repeated.
    /// </summary>
    Alive,
}

/// <summary>Bits of <see cref="Message.Flags"/>.</summary>
[Flags]
internal enum MessageFlags : byte
{
    None = 0,
    Committed = 1,
    Aborted = 2,

    /// <summary>
    /// Outcome: follows a durable resolution; an aborted one that follows from not knowing. Prepare: every other
    /// participant has ordered the transaction in this round, so it is sealed as soon as this one has. Continue: ask
    /// the rest. Refused prepare reply, abort request: it can't commit any more, whatever else happens. Attempt limit:
    /// another table has come into force there.
    /// </summary>
    Final = 4,
    Last = 4,
    Rest = 4,
    Anew = 4,
    Unknown = 8,

    /// <summary>
    /// Vote: the participant logged a prepare. Prepare: forget the writes, order the reads only.
    /// Outcome: the manager's row is short of room, so acknowledge it soon (speed only). Probe:
    /// its sender has been waited for for a short time, so an older one where it ends is to send
    /// its own soon. Reserve: its grains have been activated, as far as that can be done.
    /// </summary>
    Logged = 16,
    ReadsOnly = 16,
    Soon = 16,
    IsLoaded = 16,

    /// <summary>Query and dependency query: the answer goes to the agent rather than to a partition.</summary>
    ToAgent = 32,

    /// <summary>
    /// Prepare reply: refused, and another timestamp may do. Progress: about a call, not a transaction. Prepare: with
    /// timestamp 0, wait until what the transaction was built on is ordered, and say which timestamp would do. Reserve:
    /// about who holds it. Reserved: something of it was passed over, because nobody serves it.
    /// </summary>
    HasGap = 64,
    Retime = 64,
    OfCall = 64,
    Asks = 64,

    /// <summary>
    /// Prepare: no other participant was asked in this round, so this one may order at a later timestamp than the one
    /// named, and says which; that is then the round's.
    /// </summary>
    MayRaise = 128,
}

internal static class MessageFlagsExtensions
{
    /// <summary>The flag if something holds, else none.</summary>
    public static MessageFlags When(this MessageFlags flag, bool holds) => holds ? flag : MessageFlags.None;
}

/// <summary>One engine message; which fields matter depends on <see cref="Kind"/>.</summary>
internal struct Message
{
    public MessageKind Kind;
    public MessageFlags Flags;
    public TransactionId Transaction;
    public int Partition;
    public int FromPartition;
    public long Epoch;
    public int Round;
    public long Timestamp;
    public int Manager;
    public long ManagerEpoch;
    public int Count;
    public TransactionId Other;
    public NodeId From;
    public ParticipantUse[]? Parts;
    public CommitDependency[]? Dependencies;
    public ReservationPlan? Plan;

    public readonly bool Has(MessageFlags flag) => (Flags & flag) != 0;

    public readonly void Write(ByteWriter writer)
    {
        writer.Byte((byte)Kind);
        writer.Byte((byte)Flags);
        WriteId(writer, Transaction);
        writer.Partition(Partition);
        writer.Partition(FromPartition);
        writer.Int(Epoch);
        writer.Int(Round);
        writer.Int(Timestamp);
        writer.Partition(Manager);
        writer.Int(ManagerEpoch);
        writer.Int(Count);
        WriteId(writer, Other);
        WriteParts(writer, Parts);
        WriteDependencies(writer, Dependencies);
        ReservationPlan.Write(writer, Plan);
    }

    public static Message Read(ref ByteReader reader, NodeId from) => new()
    {
        Kind = (MessageKind)reader.Byte(),
        Flags = (MessageFlags)reader.Byte(),
        Transaction = ReadId(ref reader),
        Partition = reader.Partition(),
        FromPartition = reader.Partition(),
        Epoch = reader.Int(),
        Round = (int)reader.Int(),
        Timestamp = reader.Int(),
        Manager = reader.Partition(),
        ManagerEpoch = reader.Int(),
        Count = (int)reader.Int(),
        Other = ReadId(ref reader),
        Parts = ReadParts(ref reader),
        Dependencies = ReadDependencies(ref reader),
        Plan = ReservationPlan.Read(ref reader),
        From = from,
    };

    public static void WriteId(ByteWriter writer, TransactionId id)
    {
        writer.Int(id.Node.Value);
        writer.Int(id.Sequence);
    }

    public static TransactionId ReadId(ref ByteReader reader) => new(new NodeId(reader.Int()), reader.Int());

    public static void WriteParts(ByteWriter writer, ParticipantUse[]? parts)
    {
        writer.UInt((ulong)(parts?.Length ?? 0));
        foreach (var part in parts ?? [])
        {
            writer.Partition(part.Partition);
            writer.Int(part.Epoch);
            writer.Int(part.Node.Value);
            writer.Int(part.Accesses);
            var flags = (part.Writes ? 1 : 0) | (part.Depends ? 2 : 0) | (part.AwaitsOrder ? 4 : 0)
                | (part.Decides ? 8 : 0) | (part.IsOvertaken ? 16 : 0);
            writer.Byte((byte)flags);
        }
    }

    public static ParticipantUse[] ReadParts(ref ByteReader reader)
    {
        var count = reader.Count();
        if (count == 0) return [];
        var parts = new ParticipantUse[count];
        for (var i = 0; i < count; i++)
        {
            var (partition, epoch, node, accesses, flags) =
                (reader.Partition(), reader.Int(), new NodeId(reader.Int()), (int)reader.Int(), reader.Byte());
            parts[i] = new ParticipantUse(
                partition, epoch, node, accesses, (flags & 1) != 0, (flags & 2) != 0, (flags & 4) != 0,
                (flags & 8) != 0, (flags & 16) != 0);
        }

        return parts;
    }

    /// <returns>How many there were.</returns>
    public static int SkipParts(ref ByteReader reader)
    {
        var count = reader.Count();
        for (var n = count; n > 0; n--)
        {
            reader.SkipPartition();
            reader.Int();
            reader.Int();
            reader.Int();
            reader.Byte();
        }

        return count;
    }

    public static void WriteDependencies(ByteWriter writer, CommitDependency[]? dependencies)
    {
        writer.UInt((ulong)(dependencies?.Length ?? 0));
        foreach (var dependency in dependencies ?? [])
        {
            WriteId(writer, dependency.Transaction);
            writer.Partition(dependency.Partition);
            writer.Int(dependency.Epoch);
        }
    }

    public static CommitDependency[] ReadDependencies(ref ByteReader reader)
    {
        var count = reader.Count();
        if (count == 0) return [];
        var dependencies = new CommitDependency[count];
        for (var i = 0; i < count; i++)
            dependencies[i] = new CommitDependency(ReadId(ref reader), reader.Partition(), reader.Int());
        return dependencies;
    }
}

/// <summary>What a transaction has done at one partition, as its agent knows it.</summary>
/// <param name="Partition">The partition.</param>
/// <param name="Epoch">The epoch that served the accesses (R1b).</param>
/// <param name="Node">The owner in that epoch.</param>
/// <param name="Accesses">How many accesses it served: one that nobody awaited shows as a difference.</param>
/// <param name="Writes">Whether any was an update.</param>
/// <param name="Depends">Whether any read or built upon an undecided version. A hint for choosing the manager.</param>
/// <param name="AwaitsOrder">
/// Whether one of those was not even ordered at the time of the report: this participant is asked first.
/// </param>
/// <param name="Decides">
/// Whether the transaction has a final step there, which its manager alone can take: so this is the manager.
/// </param>
/// <param name="IsOvertaken">
/// Whether it read something there that it did not write and others do: its timestamp had better be low.
/// </param>
internal readonly record struct ParticipantUse(
    int Partition, long Epoch, NodeId Node, int Accesses, bool Writes, bool Depends = false, bool AwaitsOrder = false,
    bool Decides = false, bool IsOvertaken = false);

/// <summary>A version of an undecided transaction was read or built upon, there and in that epoch (R3).</summary>
/// <param name="Transaction">Whose.</param>
/// <param name="Partition">Where it arose.</param>
/// <param name="Epoch">In which epoch.</param>
internal readonly record struct CommitDependency(TransactionId Transaction, int Partition, long Epoch);
