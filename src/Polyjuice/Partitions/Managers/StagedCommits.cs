using Polyjuice.Contracts;
using Polyjuice.Storage;
using Polyjuice.Versions;
using Polyjuice.Wire;

namespace Polyjuice.Partitions;

/// <summary>
/// Staged commits: one append between a transaction and its answer instead of two. Rules V2 to V6, as far as they
/// differ for them. On its engine's turn.
/// </summary>
/// <remarks>
/// <para>When every participant writes, all that a commit record would say is in their prepares: which round, which
/// timestamp, who takes part, what it depends on. So the transaction is committed at the moment when the last of them
/// is durable, unless something that it depends on aborts; its manager says so at once, and writes the record when an
/// append is needed anyway. The record then is what lets everybody forget. What that asks for:</para>
/// <para>- Nobody forgets a prepare before the record is durable: confirms are final only then (V6).</para>
/// <para>- An epoch of the manager that finds its own prepare and no record asks all participants. Who has no prepare
/// of that round promises that it never will, and proves by an append that it is the owner, before it says so; one of
/// those is enough to abort, and without one it waits (V2).</para>
/// <para>- So the manager can't abort in memory alone: others might find all prepares. Either a participant has refused
/// for good and never written a prepare, or the abort is in the manager's log before it is told (V4).</para>
/// <para>A transaction with a participant that only reads goes the other way: such votes leave no record that could be
/// asked for. So does one with rows, whose managers need one store for both records, and one with a final step.</para>
/// <para>After parallel commits: Taft et al., CockroachDB: The Resilient Geo-Distributed SQL Database, SIGMOD 2020,
/// §3.</para>
/// </remarks>
internal sealed class StagedCommits(
    OwnerParts shared, Ownership ownership, Branches branches, RecoveredOutcomes recovered, Decisions decisions,
    Votes votes, DependencyQueries queries, Cascade cascade, TimestampCeiling ceiling, AppendPipeline appends)
{
    /// <summary>Whether the prepares of all that take part will say all that a commit record would.</summary>
    public bool CanStage(Branch branch)
    {
        if (ownership.IsRow || !shared.Options.StagesCommits || branch.Parts.Length < 2 || branch.FinalStep is not null)
            return false;
        foreach (ref readonly var part in branch.Parts.AsSpan())
        {
            if (!part.Writes || part.Decides || PartitionNames.IsRow(part.Partition)) return false;
        }

        return true;
    }

    /// <summary>V2: what an earlier epoch has staged, and no record tells the end of.</summary>
    public void AskForStaged()
    {
        if (shared.Breaks == ProtocolBreaks.StagedForgotten) return;
        foreach (var branch in branches.All)
        {
            if (branch is not { IsStaged: true, State: BranchState.Logged } || decisions.Contains(branch.Id)) continue;
            var decision = new Decision(branch.Id, branch.Parts, shared.Now) { IsStaged = true, IsRecovered = true };
            AskForVotes(decisions.Open(decision));
        }
    }

    /// <summary>Asks again for what it waits for: dependencies, or votes.</summary>
    public void AskAgain(Decision decision)
    {
        decision.Touched = shared.Now;
        if (decision.AwaitsDependencies) queries.Ask(decision);
        else AskForVotes(decision);
    }

    /// <summary>Asks all whose votes are not there.</summary>
    public void AskForVotes(Decision decision)
    {
        if (branches.Find(decision.Id) is not { } own) return;
        foreach (var part in decision.Parts)
        {
            var partition = part.Partition;
            if (decision.Votes?.Exists(vote => vote.FromPartition == partition) == true) continue;
            if (partition == ownership.Partition)
            {
                votes.Send(own);
                continue;
            }

            ownership.SendToPartition(partition, new VoteQueryMessage
            {
                Transaction = decision.Id,
                FromPartition = ownership.Partition,
                Epoch = part.Epoch,
                Round = own.Round,
                ManagerEpoch = ownership.Epoch,
            });
        }
    }

    /// <summary>
    /// A later epoch of the manager asks: V2. An epoch before the one that served the accesses knows nothing of them,
    /// and stays silent; one after it has read all that there can be of the prepare. The answer is for who asks:
    /// another epoch of the manager may be served at this node, deposed and unaware, and take what is sent to the
    /// manager's partition; with two such epochs, each beside a participant that the other one asks, neither would ever
    /// have all votes (I4, <c>DeposedOwnerTests</c>).
    /// </summary>
    public void OnVoteQuery(in Message message)
    {
        var query = VoteQueryMessage.Read(message);
        shared.Partitions.NoteEpoch(query.FromPartition, query.ManagerEpoch);
        if (ownership.Epoch < query.Epoch && shared.Breaks != ProtocolBreaks.StagedNoProof)
        {
            shared.Partitions.NoteEpoch(ownership.Partition, query.Epoch);
            return;
        }

        var branch = branches.Find(query.Transaction);
        if (branch is { WillLog: true, State: BranchState.Ordered or BranchState.Logged or BranchState.Committed }
            && branch.Round == query.Round)
        {
            // What is on its way into the log is there when this is asked again.
            if (branch.State != BranchState.Ordered)
                ownership.Answer(query.From, query.FromPartition, votes.Of(branch));
            return;
        }

        // Whoever has the final outcome in its log has it from a record: the question is late.
        if (branch is null && recovered.IsCommitted(query.Transaction)) return;
        if (shared.Breaks != ProtocolBreaks.StagedNoPromise) NeverOrder(branch, query);
        Deny(query);
    }

    /// <summary>In memory, because the next epoch refuses what names this one (R1b).</summary>
    private void NeverOrder(Branch? branch, in VoteQueryMessage query)
    {
        shared.Events?.Promised(ownership, query.Transaction, query.Round);
        if (branch is null)
        {
            if (!branches.IsDone(query.Transaction) && !recovered.Contains(query.Transaction))
                branches.Entomb(query.Transaction);
        }
        else if (branch.State == BranchState.Running)
        {
            cascade.Abort(branch);
        }
        else
        {
            branch.RefusedRound = Math.Max(branch.RefusedRound, query.Round);
        }
    }

    /// <summary>Says that there is no prepare, and never will be one.</summary>
    private void Deny(in VoteQueryMessage query)
    {
        var none = new VoteMessage
        {
            Transaction = query.Transaction,
            Partition = query.FromPartition,
            FromPartition = ownership.Partition,
            Epoch = ownership.Epoch,
            Round = query.Round,
            IsDenied = true,
        };
        if (shared.Breaks == ProtocolBreaks.StagedNoProof)
        {
            ownership.Answer(query.From, query.FromPartition, none);
            return;
        }

        // Only an owner may say that: what a deposed one has not got, or believes to be aborted, its successor may have
        // prepared.
        var next = ceiling.Next;
        LogRecords.WriteCeiling(appends.Records, next);
        appends.QueueAnswer(query.From, query.FromPartition, none);
        appends.Queue(new DurableAction(LogRecordKind.Ceiling, Timestamp: next));
    }
}
