using Polyjuice.Contracts;
using Polyjuice.Versions;
using Polyjuice.Wire;

namespace Polyjuice.Partitions;

/// <summary>
/// A row whose fence is in the first batch that is written there anyway: a grain that is activated for a transaction
/// costs a load, and no store before its prepare. Rule L1, as far as it differs for such a row. On its engine's turn.
/// </summary>
/// <remarks>
/// <para>That batch is conditional on the row as it was loaded. If it is written, nobody has written in between, and
/// all is as if the fence had been there from the load on. If it is not, this owner was never one: nothing that it
/// knows is in the row. So it serves accesses and orders, which a deposed owner who does not know it does as well.
/// Until the batch is there,</para>
/// <para>- it votes on nothing: what writes is voted on when its prepare is durable (V1), and what reads waits for a
/// ceiling (L4), of which it has none;</para>
/// <para>- it answers only about transactions that it has ordered itself. Of all others, an earlier owner may still
/// decide, or a rival that has loaded the same row (V2, V4, V5): who asks, or votes, waits until the fence is there. So
/// does a prepare of what another owner has served, who may be the true one: refused and told that it was deposed, it
/// would lose what it may still commit;</para>
/// <para>- its epoch is not its own yet: rivals that have loaded the same row have the same number. So a prepare must
/// name the node, too, that served the accesses (R1b), and a node uses such a number once;</para>
/// <para>- nor need it be in the row ever. A number that was taken from a clock, or behind one that this node had used,
/// may be above those of later owners: who hears of such an epoch is deposed by it, and begins behind it (V2).</para>
/// <para>A row in which anything is undecided is fenced first: others ask about that.</para>
/// </remarks>
internal sealed class LateFence(
    OwnerParts shared, Ownership ownership, Branches branches, AppendPipeline appends, TimestampCeiling ceiling)
{
    /// <summary>Messages that wait for a fence; who sent one that finds no room sends it again.</summary>
    private const int HeldMax = 4_096;

    private List<Message>? _held;

    /// <summary>The fence is in the log.</summary>
    public bool IsFenced { get; private set; }

    /// <summary>The owner began with a fence, as that of any log does.</summary>
    public void Begin() => IsFenced = true;

    /// <summary>Whether a message waits for the fence, and is taken again then.</summary>
    public bool Holds(in Message message)
    {
        if (IsFenced || shared.Breaks == ProtocolBreaks.RowAnswersUnfenced) return false;
        TransactionId subject;
        switch (message.Kind)
        {
            case MessageKind.Query or MessageKind.AbortRequest or MessageKind.Vote or MessageKind.VoteQuery:
                subject = message.Transaction;
                break;
            case MessageKind.DependencyQuery:
                subject = DependencyQueryMessage.Read(message).Dependency;
                break;
            case MessageKind.Prepare when !HasServed(PrepareMessage.Read(message)):
                // Another owner's. If it is none it must hear that, or all that it serves would be refused here.
                subject = default;
                break;
            default:
                return false;
        }

        if (branches.Find(subject) is { State: BranchState.Ordered }) return false;
        var held = _held ??= [];
        if (held.Count < HeldMax) held.Add(message);
        if (appends.IsIdle) ceiling.RequestNext();
        return true;
    }

    /// <summary>Whether who serves in an epoch elsewhere is no owner any more, or never was one.</summary>
    public bool HasDeposed(long epoch) =>
        IsFenced && (epoch < ownership.Epoch || (epoch == ownership.Epoch && ownership.IsRow));

    /// <summary>R1b: whether all accesses that a prepare counts were served by this node, in this epoch.</summary>
    public bool HasServed(in PrepareMessage prepare)
    {
        if (prepare.Epoch != ownership.Epoch) return false;
        if (!ownership.IsRow || shared.Breaks == ProtocolBreaks.RowSharesEpoch) return true;
        foreach (ref readonly var part in prepare.Parts.AsSpan())
        {
            if (part.Partition == ownership.Partition && (part.Node != shared.Node || part.Epoch != ownership.Epoch))
                return false;
        }

        return true;
    }

    /// <summary>A batch of this owner is in the log, and so is its fence.</summary>
    public void Fenced()
    {
        if (IsFenced) return;
        IsFenced = true;
        shared.Rows.Fenced(ownership.Partition, ownership.Epoch);
        if (_held is not { } held) return;
        _held = null;
        foreach (var message in held) shared.Mail.SendLocal(message);
    }

    /// <summary>Nobody waits for it any more.</summary>
    public void Drop() => _held = null;
}
