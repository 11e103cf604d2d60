using Polyjuice.Contracts;
using Polyjuice.Partitions;
using Polyjuice.Simulation.Specification.Events;
using Polyjuice.Simulation.Specification.Rules;
using Polyjuice.Simulation.Specification.State;
using Polyjuice.Storage;
using Polyjuice.Wire;

namespace Polyjuice.Simulation.Specification.Actions;

/// <summary>A successor fences its log, reads it, serves, and stops (L1, L2).</summary>
internal static class TakeOver
{
    /// <summary>The fence is in the log: from now on the node acts as that owner.</summary>
    public static void Fence(SpecificationState state, in OwnerFenced e)
    {
        var log = state.Log(e.Partition);
        state.Node(e.Node).Owners[e.Partition] = PartitionNames.IsRow(e.Partition)
            ? Recover(log, L1Fence.CheckRow(log, e), e)
            : L1Fence.Check(log, e);

        // It reads them there.
        foreach (var dead in log.Deaths) state.Node(e.Node).OldestLive[dead] = long.MaxValue;
    }

    /// <summary>It has loaded a row: it acts as that owner, as far as one may whose fence is not there yet.</summary>
    public static void Load(SpecificationState state, in RowLoaded e)
    {
        var row = state.Log(e.Partition);

        // Its epoch says which store it has found there; another one may have come since.
        var last = row.Stores.GetValueOrDefault(e.Epoch - 2);
        var contents = row.LastStore == last ? e.Contents : StoreAfter(row, last is null ? null : e.Epoch - 2).Before;
        L1Fence.Check(e with { Contents = contents });
        var owner = new OwnerModel(e.Node, e.Partition, e.Epoch, row)
        {
            Loaded = contents,
            LoadedAfter = last,
            IsFenced = false,
        };
        Recover(owner, e.Key, contents);
        state.Node(e.Node).Owners[e.Partition] = owner;
    }

    private static RowStore StoreAfter(LogModel row, long? position) =>
        row.Stores[row.Stores.Keys.Where(stored => stored > (position ?? -1)).Min()];

    /// <summary>It has read the log, and serves.</summary>
    public static void Serve(SpecificationState state, in OwnerServes e)
    {
        var owner = state.Owner(e.Node, e.Partition);
        L1Fence.Check(owner, e);
        L2Recovery.Check(owner!, e);
        V6Forgetting.Check(owner!, e);
        owner!.Serves = true;
    }

    /// <summary>It serves no longer. What it has asked for may be written yet.</summary>
    public static void Stop(SpecificationState state, in OwnerStopped e)
    {
        var owners = state.Node(e.Node).Owners;
        if (owners.TryGetValue(e.Partition, out var owner) && owner.Epoch == e.Epoch) owners.Remove(e.Partition);
    }

    /// <summary>
    /// What an owner knows when it has read its log up to its fence: the chains, and what is undecided. Prepares that
    /// do not fit on what is there have aborted with that (R4).
    /// </summary>
    public static OwnerModel Recover(LogModel log, LoggedRecord fence, long epoch)
    {
        var owner = new OwnerModel(fence.Node, log.Partition, epoch, log)
        {
            Floor = Math.Max(log.Ceiling, log.Latest), ReadsOwnDeath = log.Deaths.Contains(fence.Node),
        };
        foreach (var prepare in log.Prepares.Values)
        {
            var outcome = log.OutcomeOf(prepare.Id);
            if (outcome == false) continue;
            if (!prepare.Writes.TrueForAll(write => owner.ChainOf(write.Key).Last.Id == write.Base))
            {
                owner.GetOrAdd(prepare.Id).Status = BranchStatus.Aborted;
                continue;
            }

            foreach (var write in prepare.Writes)
                owner.ChainOf(write.Key).Add(write.Id, prepare.Timestamp, outcome == true);
            if (outcome is null) Prepared(owner, prepare);
        }

        return owner;
    }

    // What was in the row when it was fenced.
    private static OwnerModel Recover(LogModel log, RowStore fence, in OwnerFenced e)
    {
        var owner = new OwnerModel(e.Node, e.Partition, e.Epoch, log) { Ceiling = fence.Ceiling };
        Recover(owner, fence.Key, fence.Before);
        return owner;
    }

    private static void Recover(OwnerModel owner, ParticipantKey key, RowContents row)
    {
        owner.Floor = row.Ceiling;
        owner.BeginChain(key, row.Version, row.Timestamp);
        foreach (var prepare in row.Prepares)
        {
            var hasCommitted = row.HasCommitted(prepare.Id);
            owner.Floor = Math.Max(owner.Floor, prepare.Timestamp);
            foreach (var write in prepare.Writes)
                owner.ChainOf(write.Key).Add(write.Id, prepare.Timestamp, hasCommitted);
            if (!hasCommitted) Prepared(owner, prepare);
        }
    }

    private static void Prepared(OwnerModel owner, RecoveredPrepare prepare)
    {
        var branch = owner.GetOrAdd(prepare.Id);
        branch.Status = BranchStatus.Ordered;
        branch.Round = prepare.Round;
        branch.Timestamp = prepare.Timestamp;
        branch.Manager = prepare.Manager;
        branch.ManagerEpoch = prepare.ManagerEpoch;
        branch.Accesses = [.. prepare.Writes.Select(write => new OrderedAccess(write.Key, write.Base, 0, write.Id))];
        owner.SetDependencies(branch, [.. prepare.Dependencies.Select(static dependency => dependency.Id)]);
        branch.WillLog = branch.HasVoted = true;
        branch.IsStaged = prepare.IsStaged;
        if (!prepare.IsStaged) return;
        owner.Staged.Add((prepare.Id, prepare.Round));
        if (!owner.Log.Commits.ContainsKey(prepare.Id)) owner.Unasked.Add(prepare.Id);
    }
}
