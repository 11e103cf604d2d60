using Polyjuice.Execution;

namespace Polyjuice.Commit;

// A row whose fence is in the first batch that is written there anyway: a grain that is activated for a transaction
// costs a load, and no store before its prepare. Rule L1, as far as it differs for such a row.
//
// That batch is conditional on the row as it was loaded. If it is written, nobody has written in between, and all is
// as if the fence had been there from the load on. If it is not, this owner was never one: nothing that it knows is
// in the row. So it serves accesses and orders, which a deposed owner who does not know it does as well. Until the
// batch is there,
// - it votes on nothing: what writes is voted on when its prepare is durable (V1), and what reads waits for a ceiling
//   (L4), of which it has none;
// - it answers only about transactions that it has ordered itself. Of all others, an earlier owner may still decide,
//   or a rival that has loaded the same row (V2, V4, V5): who asks, or votes, waits until the fence is there. So does
//   a prepare of what another owner has served, who may be the true one: refused and told that it was deposed, it
//   would lose what it may still commit;
// - its epoch is not its own yet: rivals that have loaded the same row have the same number. So a prepare must name
//   the node, too, that served the accesses (R1b), and a node uses such a number once;
// - nor need it be in the row ever. A number that was taken from a clock, or behind one that this node had used, may
//   be above those of later owners: who hears of such an epoch is deposed by it, and begins behind it (V2).
// A row in which anything is undecided is fenced first: others ask about that.
internal sealed partial class PartitionOwner
{
    /// <summary>Messages that wait for a fence; who sent one that finds no room sends it again.</summary>
    private const int HeldForFenceMax = 4_096;

    private List<Message>? _heldForFence;

    /// <summary>The fence is in the log.</summary>
    public bool IsFenced { get; private set; }

    private bool MayFenceLater => IsRow && ((IRowLog)_log).IsSettled;

    /// <summary>Whether a message waits for the fence, and is taken again then.</summary>
    public bool HoldsForFence(in Message message)
    {
        if (IsFenced || _engine.Breaks == ProtocolBreaks.RowAnswersUnfenced) return false;
        TransactionId subject;
        switch (message.Kind)
        {
            case MessageKind.Query or MessageKind.AbortRequest or MessageKind.Vote or MessageKind.VoteQuery:
                subject = message.Transaction;
                break;
            case MessageKind.DependencyQuery:
                subject = message.Other;
                break;
            case MessageKind.Prepare when !HasServed(message):
                // Another owner's. If it is none it must hear that, or all that it serves would be refused here.
                subject = default;
                break;
            default:
                return false;
        }

        if (_branches.Find(subject) is { State: BranchState.Ordered }) return false;
        var held = _heldForFence ??= [];
        if (held.Count < HeldForFenceMax) held.Add(message);
        if (_appends.IsIdle) _ceiling.RequestNext();
        return true;
    }

    /// <summary>Whether who serves in an epoch elsewhere is no owner any more, or never was one.</summary>
    public bool HasDeposed(long epoch) => IsFenced && (epoch < Epoch || (epoch == Epoch && IsRow));

    /// <summary>R1b: whether all accesses that a prepare counts were served by this node, in this epoch.</summary>
    private bool HasServed(in Message prepare)
    {
        if (prepare.Epoch != Epoch) return false;
        if (!IsRow || _engine.Breaks == ProtocolBreaks.RowSharesEpoch) return true;
        foreach (ref readonly var part in prepare.Parts.AsSpan())
        {
            if (part.Partition == Partition && (part.Node != _engine.Node || part.Epoch != Epoch)) return false;
        }

        return true;
    }

    private void Fenced()
    {
        if (IsFenced) return;
        IsFenced = true;
        _engine.RowFenced(Partition, Epoch);
        if (_heldForFence is not { } held) return;
        _heldForFence = null;
        foreach (var message in held) _engine.SendLocal(message);
    }
}
