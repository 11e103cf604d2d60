using Polyjuice.Partitions;
using Polyjuice.Simulation.Specification.Events;
using Polyjuice.Simulation.Specification.Rules;
using Polyjuice.Simulation.Specification.State;
using Polyjuice.Wire;

namespace Polyjuice.Simulation.Specification.Actions;

/// <summary>Prepares are sent, transactions are ordered, and their versions leave again (R1 to R4, L4).</summary>
internal static class Order
{
    /// <summary>An agent asks a participant.</summary>
    public static void Prepare(SpecificationState state, in PrepareSent e)
    {
        R1bEpoch.Check(e);
        var prepare = PrepareMessage.Read(e.Message);
        var transaction = state.Transaction(prepare.Transaction);
        transaction.Manager = prepare.Manager;
        transaction.ManagerEpoch = prepare.ManagerEpoch;
        transaction.Parts = prepare.Parts ?? [];
        if (transaction.PrepareOf(prepare.Partition, prepare.Round, prepare.Epoch) is { } known
            && known.Timestamp == prepare.Timestamp)
            return;
        transaction.Prepares.Add(
            new PrepareModel(
                prepare.Partition,
                prepare.Round,
                prepare.Epoch,
                prepare.Timestamp,
                prepare.MayRaise));
    }

    /// <summary>A participant orders.</summary>
    public static void Take(SpecificationState state, in TransactionOrdered e)
    {
        if (state.Owner(e.Node, e.Partition) is not { } owner) return;
        var transaction = state.Transaction(e.Id);
        var branch = owner.Find(e.Id);
        R1bEpoch.Check(owner, transaction, branch, e);
        R1cOnce.Check(branch, e);
        R2Clocks.CheckTimestamp(owner, transaction, e);
        R2Clocks.CheckMove(owner, branch, e);
        V2Decider.CheckPromise(branch, e);
        L4Ceiling.Check(owner, e);
        R1Order.Check(owner, branch, e);
        R3Dependencies.Check(owner, e);
        Apply(owner, branch!, e);
    }

    /// <summary>An ordered version, and all above it, leave the chain.</summary>
    public static void Remove(SpecificationState state, in VersionRemoved e)
    {
        if (state.Owner(e.Node, e.Partition) is not { } owner) return;
        R4Cascade.Check(owner, e);
        var chain = owner.ChainOf(e.Key);
        var at = chain.IndexOf(e.Version);
        if (at < 0) return;
        for (var later = at + 1; later < chain.Count; later++)
        {
            if (chain[later].Id.Transaction != e.Version.Transaction) owner.Doomed.Add(chain[later].Id.Transaction);
        }

        chain.RemoveFrom(at);
    }

    /// <summary>A turn is over: what had to follow from it has followed.</summary>
    public static void EndTurn(SpecificationState state, in TurnEnded e)
    {
        Reserve.EndTurn(state, e);
        foreach (var owner in state.Node(e.Node).Owners.Values)
        {
            V2Decider.CheckAsked(owner, e);
            if (owner.Doomed.Count == 0) continue;
            R4Cascade.Check(owner, e);
            owner.Doomed.Clear();
        }
    }

    private static void Apply(OwnerModel owner, BranchModel branch, in TransactionOrdered e)
    {
        var wasOrdered = branch.Status == BranchStatus.Ordered;
        branch.Status = BranchStatus.Ordered;
        branch.Round = e.Round;
        branch.Timestamp = e.Timestamp;
        branch.Manager = e.Manager;
        branch.ManagerEpoch = e.ManagerEpoch;
        branch.Accesses = e.Accesses;
        owner.SetDependencies(branch, e.Dependencies);
        branch.WillLog = e.WillLog;
        branch.IsStaged = e.IsStaged;
        branch.HasVoted = false;
        foreach (var access in e.Accesses)
        {
            var chain = owner.ChainOf(access.Key);
            var read = chain[chain.IndexOf(access.Read)];
            read.ReadTimestamp = Math.Max(read.ReadTimestamp, e.Timestamp);
            if (access.Write is not { } write) continue;
            if (!wasOrdered) chain.Add(write, e.Timestamp, isCommitted: false);
            else chain.Last.WriteTimestamp = chain.Last.ReadTimestamp = e.Timestamp;
        }
    }
}
