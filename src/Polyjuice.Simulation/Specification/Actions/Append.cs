using Polyjuice.Contracts;
using Polyjuice.Partitions;
using Polyjuice.Simulation.Specification.Events;
using Polyjuice.Simulation.Specification.Rules;
using Polyjuice.Simulation.Specification.State;
using Polyjuice.Storage;

namespace Polyjuice.Simulation.Specification.Actions;

/// <summary>Batches are asked for, and written (L1 to L3, V1 to V7).</summary>
internal static class Append
{
    /// <summary>An owner asks for an append. A fence is asked for by who is no owner yet.</summary>
    public static void Ask(SpecificationState state, in AppendAsked e)
    {
        if (IsFence(e.Records) || state.Owner(e.Node, e.Partition) is not { } owner) return;
        L3Appends.Check(owner, e);
        var batch = e.Batch;
        if (owner.Log.Batches.ContainsKey(batch) || owner.Asked.Exists(asked => asked.Batch == batch)) return;
        L1Fence.Check(owner, owner.Asked is [.., var before] ? before : null, e);
        owner.Asked.Add(new AskedBatch(e.Batch, e.Position, ++owner.AsksMade, e.Records));
        foreach (var record in e.Records)
        {
            if (record.Kind == LogRecordKind.Commit && state.Transaction(record.Id).Outcome != true)
                owner.Recording.Add(record.Id);
            else if (record.Kind == LogRecordKind.Staged && !EndsIn(e.Records, record.Id))
                owner.Staged.Add((record.Id, record.Prepare!.Round));
        }
    }

    // Who reads the log finds the prepare together with its end, or neither: nobody can take it for staged.
    private static bool EndsIn(IReadOnlyList<LoggedRecord> records, TransactionId id)
    {
        foreach (var record in records)
        {
            if (record.Kind == LogRecordKind.Outcome && !record.Committed && record.Id == id) return true;
        }

        return false;
    }

    /// <summary>A batch is in its log.</summary>
    public static void Write(SpecificationState state, in BatchWritten e)
    {
        var log = state.Log(e.Partition);
        var isFence = IsFence(e.Records);
        L1Fence.Check(log, isFence, e);
        log.Batches.Add(e.Batch, e.Position);
        if (isFence)
        {
            log.Fence = e.Batch;
            log.Epoch = log.End;
            log.Owners[log.Epoch] = TakeOver.Recover(log, e.Records[0], log.Epoch);
        }

        if (log.Owner is not { } owner) return;
        foreach (var record in e.Records) Record(state, log, owner, record, e);
        var batch = e.Batch;
        var asked = owner.Asked.FindIndex(one => one.Batch == batch);
        if (asked < 0) return;
        owner.AskWritten = owner.Asked[asked].Number;
        owner.Asked.RemoveRange(0, asked + 1);
    }

    /// <summary>A row is stored. What it says of commits is taken as it is.</summary>
    public static void Write(SpecificationState state, in RowWritten e)
    {
        var log = state.Log(e.Partition);
        var owner = state.Owner(e.Node, e.Partition);
        L1Fence.Check(log, owner, e);
        var since = log.LastStore is { } last && last.Node == e.Node ? last.Since : e.Position;
        log.Stores[e.Position] = log.LastStore = new RowStore(e.Node, e.Key, e.Before, e.Ceiling, since);
        if (owner is { IsFenced: false } && e.Position == owner.Epoch - 1) owner.IsFenced = true;
        if (owner is { IsFenced: true }) owner.Ceiling = Math.Max(owner.Ceiling, e.Ceiling);
        foreach (var record in e.Records)
        {
            if (record.Kind == LogRecordKind.Commit) FinalSteps.CheckRecord(state.Transaction(record.Id), e.ToString());
            Add(state, log, null, record);
        }
    }

    private static void Record(
        SpecificationState state, LogModel log, OwnerModel owner, LoggedRecord record, in BatchWritten e)
    {
        var transaction = state.Transaction(record.Id);
        switch (record.Kind)
        {
            case LogRecordKind.Prepare or LogRecordKind.Staged:
                V7OneParticipant.Check(record.Prepare!, e);
                L2Recovery.Check(state, owner, record, e);
                break;
            case LogRecordKind.Commit:
                FinalSteps.CheckRecord(transaction, e.ToString());
                V1Votes.Check(transaction, record.Commit!, e);
                V2Decider.Check(log, transaction, record.Commit!, e);
                V4Presumed.CheckRecord(transaction, e);
                V5Resolution.Check(state, transaction, record.Commit!, e);
                break;
            case LogRecordKind.Resolved:
                V5Resolution.CheckResolved(state, transaction, record.Committed, e);
                break;
            case LogRecordKind.Forget:
                V6Forgetting.CheckRecord(state, log, record, e);
                break;
            case LogRecordKind.Outcome when record.Committed:
                V5Resolution.CheckCommitted(state, record.Id, e.ToString());
                transaction.Outcome = true;
                break;
        }

        Add(state, log, owner, record);
    }

    private static void Add(SpecificationState state, LogModel log, OwnerModel? owner, LoggedRecord record)
    {
        switch (record.Kind)
        {
            case LogRecordKind.Ceiling:
                log.Ceiling = Math.Max(log.Ceiling, record.Ceiling);
                if (owner is not null) owner.Ceiling = Math.Max(owner.Ceiling, record.Ceiling);
                break;
            case LogRecordKind.Prepare or LogRecordKind.Staged:
                AddPrepare(state, log, record.Prepare!);
                break;
            case LogRecordKind.Commit:
                log.Commits[record.Id] = record.Commit!;
                state.Transaction(record.Id).Commit = record.Commit!;
                state.Transaction(record.Id).CommitLog = log.Partition;
                owner?.Recording.Remove(record.Id);
                break;
            case LogRecordKind.OldestLive:
                log.Deaths.UnionWith(record.Dead);
                break;
            case LogRecordKind.Resolved:
                log.Resolutions[record.Id] = record.Committed;
                break;
            case LogRecordKind.Outcome:
                log.Outcomes[record.Id] = record.Committed;
                if (record.Committed) log.CommitsKnown.Add((record.Id, log.Epoch));
                break;
        }
    }

    private static void AddPrepare(SpecificationState state, LogModel log, RecoveredPrepare prepare)
    {
        log.Prepares.Remove(prepare.Id);
        log.Prepares.Add(prepare.Id, prepare);
        log.PreparedRounds.Add((prepare.Id, prepare.Round));
        log.Latest = Math.Max(log.Latest, prepare.Timestamp);
        if (!prepare.IsStaged) return;
        var transaction = state.Transaction(prepare.Id);
        transaction.Staged = prepare;
        transaction.StagedLog = log.Partition;
    }

    private static bool IsFence(IReadOnlyList<LoggedRecord> records) => records is [{ Kind: LogRecordKind.Fence }, ..];
}
