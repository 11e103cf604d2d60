using Polyjuice.Contracts;
using Polyjuice.Policies;
using Polyjuice.Wire;

namespace Polyjuice.Agents;

/// <summary>
/// What goes down with a call to another silo: the transaction, and where it stands. The transaction's predecessors
/// follow, and its place in a trace if <see cref="TransactionTokenFlags.Traced"/> says so.
/// </summary>
internal readonly struct TransactionToken
{
    /// <summary>Of this, of <see cref="CallReports"/> and of <see cref="TurnWaits"/>.</summary>
    public const byte Version = 2;

    /// <summary>The caller's clock (R2).</summary>
    public long Clock { get; init; }

    /// <summary>The caller's oldest live attempt (R1c).</summary>
    public long OldestLive { get; init; }

    public TransactionId Transaction { get; init; }

    /// <summary>The caller's path.</summary>
    public PathNode Parent { get; init; }

    /// <summary><see cref="OutgoingCall.Id"/> at the caller's node.</summary>
    public long Call { get; init; }

    public long FirstAttempt { get; init; }

    public long Start { get; init; }

    public long Observed { get; init; }

    public long Deadline { get; init; }

    public TransactionTokenFlags Flags { get; init; }

    public int Position { get; init; }

    public int AccessNumber { get; init; }

    public int Generation { get; init; }

    public int ReplayUpTo { get; init; }

    public bool Has(TransactionTokenFlags flag) => (Flags & flag) != 0;

    /// <exception cref="CodingException">It is not one of this version.</exception>
    public static TransactionToken Read(ref ByteReader reader, PathTree paths)
    {
        if (reader.Byte() is not Version and var version)
            throw new CodingException(
                $"Transaction tokens of version {version} are not understood; this engine speaks version {Version}.");

        // In the order in which they are written: initializers run in the order of the text.
        return new TransactionToken
        {
            Clock = reader.Int(),
            OldestLive = reader.Int(),
            Transaction = Message.ReadId(ref reader),
            Parent = paths.Find(reader.Bytes()),
            Call = reader.Int(),
            FirstAttempt = reader.Int(),
            Start = reader.Int(),
            Observed = reader.Int(),
            Deadline = reader.Int(),
            Flags = (TransactionTokenFlags)reader.Byte(),
            Position = (int)reader.Int(),
            AccessNumber = (int)reader.Int(),
            Generation = (int)reader.Int(),
            ReplayUpTo = (int)reader.Int(),
        };
    }

    public void Write(ByteWriter writer)
    {
        writer.Byte(Version);
        writer.Int(Clock);
        writer.Int(OldestLive);
        Message.WriteId(writer, Transaction);
        writer.Bytes(Parent.Key);
        writer.Int(Call);
        writer.Int(FirstAttempt);
        writer.Int(Start);
        writer.Int(Observed);
        writer.Int(Deadline);
        writer.Byte((byte)Flags);
        writer.Int(Position);
        writer.Int(AccessNumber);
        writer.Int(Generation);
        writer.Int(ReplayUpTo);
    }
}
