using Polyjuice.Diagnostics;
using Polyjuice.Execution;
using Polyjuice.Hosting;
using Polyjuice.Storage;

namespace Polyjuice.Commit;

// Taking a partition over: rules L1, L2 and L4.
internal sealed partial class PartitionOwner
{
    /// <summary>Participants that are set up in one turn, so that what else the silo serves goes on meanwhile.</summary>
    private const int StatesPerTurn = 4_096;

    private readonly RecoveredOutcomes _recoveredOutcomes = new();

    /// <summary>Fences the log, or finds that this has time, reads it up to the fence, and serves.</summary>
    public async Task AcquireAsync(CancellationToken cancellationToken)
    {
        using var linked = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, _ownership.Stopping);
        var position = await FenceAsync(linked.Token);
        if (!_ownership.IsStopped && IsFenced) _engine.Events?.Fenced(Partition, position + 1);
        else if (!_ownership.IsStopped) _engine.Events?.Loaded(Partition, position + 1);
        await RecoverAsync(position, linked.Token);
        linked.Token.ThrowIfCancellationRequested();
        _appends.Begin(position + (IsFenced ? 1 : 0));
        if (!IsFenced) LogRecords.WriteFence(_appends.Records, _engine.Node);
        _ownership.Begin(position + 1);
        _engine.Events?.Serves(this);
        foreach (var branch in _branches.All) branch.Touched = _engine.Now;
        _staged.AskForStaged();
        SayWhatWasPrepared();
        var agents = AgentsInLog();
        BuryTheGone(agents);
        _engine.Announce(this, agents);
        _ownership.Stir();
        _ownership.RequestFlush();
    }

    private SortedSet<NodeId> AgentsInLog()
    {
        var agents = new SortedSet<NodeId>();
        foreach (var branch in _branches.All) agents.Add(branch.Agent);
        foreach (var decision in _decisions.All) agents.Add(decision.Id.Node);
        foreach (var id in _recoveredOutcomes.Transactions) agents.Add(id.Node);
        return agents;
    }

    /// <summary>A log names nodes of earlier times, whose deaths nobody told this node.</summary>
    private void BuryTheGone(SortedSet<NodeId> agents)
    {
        foreach (var agent in agents)
        {
            if (agent != _engine.Node && _engine.Host.IsGone(agent)) _engine.NodeDead(agent);
        }
    }

    public void Stop()
    {
        _ownership.End();
        _health.End();
        _ceiling.DropPrepares();
        _heldForFence = null;
        foreach (var branch in _branches.All.ToArray())
        {
            _replies.Unpark(branch);
            if (branch.State == BranchState.Running)
            {
                _engine.Doom(branch.Transaction, AbortReason.OwnerChanged, null);
                continue;
            }

            _engine.RememberEnd(branch.Id);
            if (branch.IsUndecided && !TransactionEngine.RunsHere(branch.Transaction)) _engine.End(branch.Transaction);
        }

        _ceiling.ReleaseReaders();
    }

    /// <summary>
    /// L1: the fence comes first, unless it may go with what is written first; only what is before it counts. L3
    /// applies to it as to any batch.
    /// </summary>
    private async Task<long> FenceAsync(CancellationToken cancellationToken)
    {
        if (_engine.Breaks == ProtocolBreaks.Fence)
        {
            IsFenced = true;
            return await _log.GetEndAsync(cancellationToken) - 1;
        }

        var batch = new ByteWriter(_engine.Names);
        LogRecords.WriteFence(batch, _engine.Node);

        // A row is fenced because somebody wants it: the first who reads there need not wait for a ceiling.
        var ceiling = IsRow ? _engine.Clock.Physical + (Options.CeilingAheadMicroseconds << HybridClock.LogicalBits) : 0;
        if (IsRow) LogRecords.WriteCeiling(batch, ceiling);
        while (true)
        {
            var position = await RetryAsync(token => _log.GetEndAsync(token), cancellationToken);
            if (MayFenceLater) return position;
            var batchId = _engine.NextBatchId();
            while (true)
            {
                cancellationToken.ThrowIfCancellationRequested();
                try
                {
                    if (await _log.AppendAsync(position, batchId, batch.WrittenMemory, cancellationToken) != AppendResult.Appended) break;
                    _ceiling.Begin(ceiling);
                    IsFenced = true;
                    if (IsRow) _engine.RowFenced(Partition, position + 1);
                    _health.Answered();
                    return position;
                }
                catch (Exception exception) when (!cancellationToken.IsCancellationRequested && exception is not LogUnusableException)
                {
                    _health.Failed(exception, position);
                    await PauseAsync(cancellationToken);
                }
            }
        }
    }

    private async Task<T> RetryAsync<T>(Func<CancellationToken, ValueTask<T>> operation, CancellationToken cancellationToken)
    {
        while (true)
        {
            try
            {
                var result = await operation(cancellationToken);
                _health.Answered();
                return result;
            }
            catch (Exception exception) when (!cancellationToken.IsCancellationRequested && exception is not (LogUnusableException or CodingException or InvariantException))
            {
                _health.Failed(exception, -1);
                await PauseAsync(cancellationToken);
            }
        }
    }

    // An engine that stops has no pauses.
    private async Task PauseAsync(CancellationToken cancellationToken)
    {
        await _engine.Delay(_health.Pause);
        cancellationToken.ThrowIfCancellationRequested();
        if (_engine.IsStopped) throw new OperationCanceledException("The silo stops.");
    }

    private async Task RecoverAsync(long fence, CancellationToken cancellationToken)
    {
        RecoveredLog? known = null;
        var end = _engine.Breaks == ProtocolBreaks.ShortRecovery ? Math.Max(0, fence - 1) : fence;
        await RetryAsync(
            async token =>
            {
                // Of a row all is there, and it is little.
                if (IsRow) await Read();
                else await _engine.Host.RunInBackground(Read);
                return true;

                async Task Read() => known = await Checkpointer.ReadAsync(_log, end, token, _engine.Names);
            },
            cancellationToken);
        if (known is null) throw new OperationCanceledException($"Another node has taken over {Name} meanwhile.");
        var image = known.Image;
        _upkeep.Recover(known);
        foreach (var (node, oldest) in image.OldestLive) _engine.NoteOldestLive(node, oldest);
        var replayed = 0;
        foreach (var (key, state) in image.States)
        {
            var participant = GetParticipant(key);
            participant.Last = new StateVersion(participant, state.Version, null, null)
            {
                Content = new EncodedState(state.Encoded), Wts = state.Timestamp, Rts = state.Timestamp, Status = VersionStatus.Ordered, IsCommitted = true,
            };
            if (++replayed % StatesPerTurn == 0) await _engine.Delay(0);
        }

        cancellationToken.ThrowIfCancellationRequested();
        _ceiling.Recover(image.Ceiling, image.MaxTimestamp);
        foreach (var prepare in image.Prepares) Replay(prepare, image);

        // Only now that all are there: a row does not say in which order those came that write nothing, and a dependency that is not found is asked about as if it were lost.
        foreach (var prepare in image.Prepares) ReplayDependencies(prepare, image);
        foreach (var (id, committed) in image.Outcomes)
        {
            if (_branches.Find(id) is null or { IsUndecided: false }) _recoveredOutcomes.Set(id, committed);
        }

        foreach (var commit in image.Commits)
        {
            if (image.Forgotten.Contains(commit.Id)) continue;
            ReplayDecision(commit, image);
        }
    }

    /// <summary>L2: what the log says and nothing else. Undecided prepares are back in the chain, in the order in which they were logged.</summary>
    private void Replay(RecoveredPrepare prepare, LogImage image)
    {
        var outcome = image.OutcomeOf(prepare.Id, _engine.Breaks == ProtocolBreaks.NoR7Recovery);
        if (outcome == false) return;
        if (outcome is null && _engine.Breaks == ProtocolBreaks.DropPrepared) return;
        foreach (var write in prepare.Writes)
        {
            if (GetParticipant(write.Key).Last.Id == write.Base) continue;

            // It was built on something that has left the chain (R4), so it can't have committed.
            if (outcome == true) throw new InvariantException($"Partition {Partition}: committed {prepare.Id} does not fit on version {GetParticipant(write.Key).Last.Id} of {write.Key.Grain}.{write.Key.State}.");
            _recoveredOutcomes.Set(prepare.Id, false);
            return;
        }

        Branch? branch = null;
        if (outcome is null) branch = _branches.Recover(prepare);

        foreach (var write in prepare.Writes)
        {
            var participant = GetParticipant(write.Key);
            var last = participant.Last;
            var version = new StateVersion(participant, write.Id, branch, last)
            {
                Content = new EncodedState(write.Encoded), Wts = prepare.Timestamp, Rts = prepare.Timestamp, Status = VersionStatus.Ordered, IsCommitted = branch is null,
            };
            last.Next = version;
            participant.Last = version;
            if (branch is not null)
            {
                last.Pins++;
                branch.Entries.Add(new AccessEntry(last) { Write = version });
            }

            if (branch is null) participant.Prune(long.MaxValue, 1);
        }
    }

    private void ReplayDependencies(RecoveredPrepare prepare, LogImage image)
    {
        if (_branches.Find(prepare.Id) is not { State: BranchState.Logged } branch) return;
        foreach (var (id, epoch) in prepare.Dependencies)
        {
            if (_branches.Find(id) is { } other) _dependencies.Add(branch, other);
            else if (image.OutcomeOf(id) == true)
            {
                // V6: kept until this one is finally confirmed, even though as its manager this partition has forgotten it.
                _recoveredOutcomes.Set(id, true);
                (branch.RecoveredDependencies ??= []).Add(id);
            }
            else (branch.LostDependencies ??= []).Add(new CommitDependency(id, Partition, epoch));
        }
    }

    private void ReplayDecision(RecoveredCommit commit, LogImage image)
    {
        var decision = new Decision(commit.Id, commit.Parts, _engine.Now)
        {
            Timestamp = commit.Timestamp, Round = commit.Round, State = DecisionState.Recorded, MustAcknowledge = new(commit.MustAcknowledge) { ToldAt = _engine.Now },
            Unresolved = [.. commit.Dependencies], HadDependencies = commit.Dependencies.Length > 0,
        };
        if (image.Resolutions.TryGetValue(commit.Id, out var committed))
        {
            decision.ResolutionDurable = true;
            decision.Unresolved = null;
            if (!committed)
            {
                _decisions.Open(decision);
                _manager.Abort(decision);
                return;
            }
        }

        if (!decision.HasUnresolved || _engine.Breaks == ProtocolBreaks.NoR7Recovery)
        {
            _recoveredOutcomes.Set(commit.Id, true);
            if (!decision.AwaitsAcknowledgement) return;
            _decisions.Open(decision);
            _manager.Commit(decision);
            return;
        }

        _decisions.Open(decision);
        _queries.Ask(decision);
    }
}
