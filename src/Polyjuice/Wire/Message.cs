using Polyjuice.Contracts;

namespace Polyjuice.Wire;

/// <summary>
/// One engine message as it is queued and sent. All kinds share its fields, and most fields mean other things in each:
/// who makes or reads one goes through the type of that kind (<c>Messages/</c>), which gives them names. Kinds that say
/// no more than which transaction they are about have none.
/// </summary>
internal struct Message
{
    public MessageKind Kind;

    /// <summary>Which transaction it is about.</summary>
    public TransactionId Transaction;

    /// <summary>Which partition's owner it is for, if it is for one.</summary>
    public int Partition;

    /// <summary>Which partition's owner has sent it; −1 in what agents ask.</summary>
    public int FromPartition;

    /// <summary>The node that has sent it; not encoded, as the batch says it.</summary>
    public NodeId From;

    // What these mean depends on the kind.
    public MessageFlags Flags;
    public long Epoch;
    public int Round;
    public long Timestamp;
    public int Manager;
    public long ManagerEpoch;
    public int Count;
    public TransactionId Other;
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
