using Polyjuice.Contracts;
using Polyjuice.Simulation.Specification.Events;
using Polyjuice.Simulation.Specification.State;
using Polyjuice.Wire;

namespace Polyjuice.Simulation.Specification.Rules;

/// <summary>
/// L1: a successor appends its fence, reads the log up to it, and
/// then serves; behind a fence there are only batches of its owner.
/// </summary>
internal static class L1Fence
{
    private const string Rule = "L1";

    /// <summary>The fence is there.</summary>
    public static OwnerModel Check(LogModel log, in OwnerFenced e)
    {
        if (log.Owners.GetValueOrDefault(e.Epoch) is { } owner && owner.Node == e.Node) return owner;
        throw Rejected.By(Rule, e.ToString(), $"it has no fence at position {e.Epoch - 1}: {log}");
    }

    /// <summary>The same of a row.</summary>
    public static RowStore CheckRow(LogModel row, in OwnerFenced e)
    {
        if (row.Stores.GetValueOrDefault(e.Epoch - 1) is { } store && store.Node == e.Node) return store;
        throw Rejected.By(Rule, e.ToString(), $"it has not stored the row at position {e.Epoch - 1}");
    }

    /// <summary>Others ask about what is undecided: who finds that in a row fences it before it serves.</summary>
    public static void Check(in RowLoaded e)
    {
        foreach (var prepare in e.Contents.Prepares)
        {
            if (e.Contents.HasCommitted(prepare.Id)) continue;
            throw Rejected.By(Rule, e.ToString(), $"{prepare.Id} is undecided there");
        }

        foreach (var commit in e.Contents.Commits)
        {
            if (commit.Dependencies.Length == 0) continue;
            throw Rejected.By(Rule, e.ToString(), $"what {commit.Id} depends on is undecided there");
        }
    }

    /// <summary>
    /// Who has no fence yet may not be the owner. It votes to nobody but itself, and acknowledges nothing. Of other
    /// transactions than those that it has ordered it says only what it has loaded. It refuses none that another owner
    /// has served.
    /// </summary>
    public static void Check(OwnerModel owner, TransactionModel transaction, in OwnerSaid e)
    {
        if (owner.IsFenced) return;
        var message = e.Message;
        var isRight = message.Kind switch
        {
            MessageKind.PrepareReply => !IsServedByAnother(owner, transaction),
            MessageKind.Vote => !VoteMessage.Read(message).IsDenied && message.Partition == owner.Partition,
            MessageKind.Outcome or MessageKind.AgentOutcome when ToldOutcome.Of(message) is { IsCommitted: true } =>
                owner.Loaded!.HasCommitted(message.Transaction),
            MessageKind.Outcome or MessageKind.AgentOutcome => HasOrdered(owner, message.Transaction),
            MessageKind.DependencyAnswer => HasOrdered(owner, DependencyAnswerMessage.Read(message).Dependency),
            _ => false,
        };
        if (!isRight) throw Rejected.By(Rule, e.ToString(), $"it has no fence yet: {owner}");
    }

    /// <summary>Nor has anything committed that it has ordered.</summary>
    public static void CheckCommit(OwnerModel owner, in BranchEnded e)
    {
        if (!owner.IsFenced) throw Rejected.By(Rule, e.ToString(), $"it has no fence yet: {owner}");
    }

    /// <summary>A row is stored by who fenced it last; or by who has loaded it as it still is.</summary>
    public static void Check(LogModel row, OwnerModel? owner, in RowWritten e)
    {
        if (owner is { IsFenced: false })
        {
            // A late store of an earlier owner at that node is another matter.
            if (e.Position != owner.Epoch - 1 || row.LastStore == owner.LoadedAfter) return;
            throw Rejected.By(Rule, e.ToString(), $"another one has stored it since it was loaded: {owner}");
        }

        if (owner is not { Serves: true } || row.LastStore is not { } last) return;
        if (last.Node != e.Node || last.Since > owner.Epoch - 1)
            throw Rejected.By(Rule, e.ToString(), $"it is behind the fence of another owner: {owner}");
    }

    /// <summary>Who serves has a fence, and has read the log up to that.</summary>
    public static void Check(OwnerModel? owner, in OwnerServes e)
    {
        if (owner is null || owner.Epoch != e.Epoch)
            throw Rejected.By(Rule, e.ToString(), $"it has no fence for that: {owner}");
    }

    /// <summary>A batch is where it must be, and of who fenced the log last. A node's numbers only grow.</summary>
    public static void Check(LogModel log, bool isFence, in BatchWritten e)
    {
        if (e.Position != log.End) throw Rejected.By(Rule, e.ToString(), $"the end is {log.End}");
        if (isFence) return;
        if (log.Fence is not { } fence || fence.Node != e.Batch.Node || e.Batch.Sequence <= fence.Sequence)
            throw Rejected.By(Rule, e.ToString(), $"it is behind the fence {log.Fence} of another owner");
    }

    /// <summary>
    /// While a batch is under way, the next one is to be appended right behind it, and behind no rival's in its place.
    /// </summary>
    public static void Check(OwnerModel owner, AskedBatch? before, in AppendAsked e)
    {
        if (before is null) return;
        if (before.Position != e.Position - 1)
            throw Rejected.By(
                "L3",
                e.ToString(),
                $"batch {before.Batch} at {before.Position} is not known to be written, and this one goes "
                + $"elsewhere: {owner}");
        if (e.Behind is not { } behind || behind != before.Batch)
            throw Rejected.By(
                Rule,
                e.ToString(),
                $"batch {before.Batch} is under way, and this one does not have to be behind it: {owner}");
    }

    private static bool IsServedByAnother(OwnerModel owner, TransactionModel transaction) => Array.Exists(
        transaction.Parts,
        part => part.Partition == owner.Partition && (part.Node != owner.Node || part.Epoch != owner.Epoch));

    private static bool HasOrdered(OwnerModel owner, TransactionId id) => owner.Find(id) is { Round: > 0 };
}
