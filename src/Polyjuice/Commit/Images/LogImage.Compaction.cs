using Polyjuice.Execution;

namespace Polyjuice.Commit;

// What is over is folded away: what committed into the participants' states, and outcomes that nobody may ask for any more (V6).
internal sealed partial class LogImage
{
    // Records that are over are left where they are until there is so much of them.
    private const int RecordGarbageMin = 4 << 10;

    // Of the prepare that is being folded.
    private readonly List<FoldedWrite> _writes = [];

    /// <summary>Folds away all that is over. Whenever it is called, and how often, makes no difference to what comes out in the end.</summary>
    public void Compact() => Compact(FoldPrepares());

    /// <summary>The same right after <see cref="Fold"/>.</summary>
    /// <param name="asked">What that has returned.</param>
    public void Compact(HashSet<TransactionId> asked)
    {
        foreach (var (id, committed) in Resolutions)
        {
            // What was inferred from the chain before the resolution was logged, or not, as it happened: the resolution says it in either case, and is forgotten together with its commit record.
            if (Outcomes.TryGetValue(id, out var known) && known == committed) Outcomes.Remove(id);
        }

        ForgetCommits(asked);
        foreach (var id in Outcomes.Keys)
        {
            if (!Commits.Contains(id) && IsOver(id, asked)) Outcomes.Remove(id);
        }

        foreach (var id in Resolutions.Keys)
        {
            if (!Commits.Contains(id) && IsOver(id, asked)) Resolutions.Remove(id);
        }

        Forgotten.RemoveWhere(id => !Commits.Contains(id));
        _added = 0;
        _left = _prepares.Count + Commits.Count + Outcomes.Count;
        TidyRecords();
    }

    /// <summary>Returns the transactions that an undecided one here depends on: their outcomes are kept until it is decided.</summary>
    private HashSet<TransactionId> FoldPrepares()
    {
        var asked = new HashSet<TransactionId>();
        States.BeginChains();
        for (var at = _prepares.First; at >= 0;)
        {
            var next = _prepares.Next(at);
            var record = _prepares[at];
            var prepare = new PrepareReader(record);
            ReadWrites(ref prepare, record);
            var outcome = OutcomeOf(prepare.Id);
            if (outcome != false && !Fit())
            {
                // It was built on something that has left the chain (R4), so it can't have committed.
                if (outcome == true) throw new InvariantException($"Committed {prepare.Id} does not fit on the version before it in the log.");
                outcome = Outcomes[prepare.Id] = false;
            }

            if (outcome == false)
            {
                _prepares.Remove(at);
            }
            else if (outcome == true && !AreAboveUndecided())
            {
                foreach (var write in _writes) States.Set(write.Participant, write.Id, prepare.Timestamp, record[write.State]);
                _prepares.Remove(at);
            }
            else
            {
                foreach (var write in _writes) States.SetTop(write.Participant, write.Id);
                if (outcome is null) prepare.AddDependencies(asked);
            }

            at = next;
        }

        return asked;
    }

    private void ReadWrites(ref PrepareReader prepare, ReadOnlySpan<byte> record)
    {
        _writes.Clear();
        while (prepare.TryReadWrite(out var write))
        {
            var participant = States.NumberOf(write.Key);
            var below = States.TopOf(participant) ?? States.VersionOf(participant) ?? _below?.Find(write.Key) ?? default;
            var end = record.Length - prepare.Left;
            _writes.Add(new FoldedWrite(participant, write.Id, below == write.Base, (end - write.State.Length)..end));
        }
    }

    private bool Fit()
    {
        foreach (var write in _writes)
        {
            if (!write.Fits) return false;
        }

        return true;
    }

    private bool AreAboveUndecided()
    {
        foreach (var write in _writes)
        {
            if (States.TopOf(write.Participant) is not null) return true;
        }

        return false;
    }

    /// <summary>
    /// A manager's decision is kept until all who must have acknowledged it, and its agent has told its caller: a forget record says both. With nobody to acknowledge there may be none, and then
    /// the agent's oldest live attempt says it.
    /// </summary>
    private void ForgetCommits(HashSet<TransactionId> asked)
    {
        foreach (var id in Commits.Ids)
        {
            if (OutcomeOf(id) is not { } committed || asked.Contains(id) || _prepares.Contains(id)) continue;
            var isAcknowledged = !committed || !Commits.TryGet(id, out var commit) || !commit.MustBeAcknowledged;
            if (!Forgotten.Contains(id) && !(isAcknowledged && IsAgentDone(id))) continue;
            Commits.Remove(id);
            Resolutions.Remove(id);
        }
    }

    private void TidyRecords()
    {
        if (_records.Length < RecordGarbageMin || _records.Length < 2 * (_prepares.Bytes() + Commits.Bytes())) return;
        _spareRecords.Clear();
        _prepares.MoveTo(_spareRecords);
        Commits.MoveTo(_spareRecords);
        (_records, _spareRecords) = (_spareRecords, _records);
    }

    private bool IsOver(TransactionId id, HashSet<TransactionId> asked) => (IsAgentDone(id) || (ForgetsOutcomes && Forgotten.Contains(id))) && !asked.Contains(id) && !_prepares.Contains(id);

    private bool IsAgentDone(TransactionId id) => id.Node.IsForeign || id.Sequence < OldestLive.GetValueOrDefault(id.Node);

    /// <summary>A write of the prepare that is being folded.</summary>
    /// <param name="Participant">Its number among the states.</param>
    /// <param name="Id">The version.</param>
    /// <param name="Fits">Whether it was built on what is last there.</param>
    /// <param name="State">Where in the record its codec and its state are.</param>
    private readonly record struct FoldedWrite(int Participant, VersionId Id, bool Fits, Range State);
}
