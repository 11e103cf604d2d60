using Polyjuice.Contracts;
using Polyjuice.Storage;
using Polyjuice.Versions;
using Polyjuice.Wire;

namespace Polyjuice.Partitions;

/// <summary>L2: who takes a partition over knows what the log says and nothing else. On its engine's turn.</summary>
internal sealed class Recovery(
    OwnerParts shared, Ownership ownership, IPartitionLog log, LogRetry retry, TimestampCeiling ceiling,
    LogUpkeep upkeep, ParticipantTable participants, Branches branches, RecoveredOutcomes recovered,
    Dependencies dependencies, Decisions decisions, DependencyQueries queries, Manager manager)
{
    /// <summary>
    /// Participants that are set up in one turn, so that what else the silo serves goes on meanwhile.
    /// </summary>
    private const int StatesPerTurn = 4_096;

    /// <summary>Reads the log up to its fence.</summary>
    public async Task RunAsync(long fence, CancellationToken cancellationToken)
    {
        var known = await ReadAsync(fence, cancellationToken)
            ?? throw new OperationCanceledException($"Another node has taken over {ownership.Name} meanwhile.");
        upkeep.Recover(known);
        var image = known.Image;
        foreach (var (node, oldest) in image.OldestLive)
        {
            if (oldest == LogRecords.NoneLive && shared.Breaks != ProtocolBreaks.DeathUnheard) HearOfDeath(node);
            else shared.Agents.NoteOldestLive(node, oldest);
        }

        await ReplayStatesAsync(image);
        cancellationToken.ThrowIfCancellationRequested();
        ceiling.Recover(image.Ceiling, image.MaxTimestamp);
        foreach (var prepare in image.Prepares) Replay(prepare, image);

        // Only now that all are there: a row does not say in which order those came that write nothing, and a
        // dependency that is not found is asked about as if it were lost.
        foreach (var prepare in image.Prepares) ReplayDependencies(prepare, image);
        foreach (var (id, committed) in image.Outcomes)
        {
            if (branches.Find(id) is null or { IsUndecided: false }) recovered.Set(id, committed);
        }

        foreach (var commit in image.Commits)
        {
            if (image.Forgotten.Contains(commit.Id)) continue;
            ReplayDecision(commit, image);
        }
    }

    /// <summary>
    /// V6: what the log has forgotten because a node is dead must not be asked for here by that node. If it is this
    /// one, others have settled its transactions without it: its engine stops.
    /// </summary>
    /// <exception cref="DeclaredDeadException">It is this node.</exception>
    private void HearOfDeath(NodeId node)
    {
        if (node == shared.Node)
        {
            var dead = new DeclaredDeadException(ownership.Name);
            shared.Fail(dead);
            throw dead;
        }

        upkeep.NoteDeath(node);
        shared.NodeDead(node);
    }

    /// <summary>Whose transactions the log names.</summary>
    public SortedSet<NodeId> AgentsInLog()
    {
        var agents = new SortedSet<NodeId>();
        foreach (var branch in branches.All) agents.Add(branch.Agent);
        foreach (var decision in decisions.All) agents.Add(decision.Id.Node);
        foreach (var id in recovered.Transactions) agents.Add(id.Node);
        return agents;
    }

    /// <summary>A log names nodes of earlier times, whose deaths nobody told this node.</summary>
    public void BuryTheGone(SortedSet<NodeId> agents)
    {
        foreach (var agent in agents)
        {
            if (agent != shared.Node && shared.Host.IsGone(agent)) shared.NodeDead(agent);
        }
    }

    private async Task<RecoveredLog?> ReadAsync(long fence, CancellationToken cancellationToken)
    {
        RecoveredLog? known = null;
        var end = shared.Breaks == ProtocolBreaks.ShortRecovery ? Math.Max(0, fence - 1) : fence;
        await retry.RunAsync(
            async token =>
            {
                // Of a row all is there, and it is little.
                if (ownership.IsRow) await Read();
                else await shared.Host.RunInBackground(ReadLog);
                return true;

                async Task Read() => known = await Checkpointer.ReadAsync(log, end, token, shared.Names);

                async Task ReadLog()
                {
                    await Read();
                    if (known is { Image: var image })
                        MisplacedState.Refuse(image, ownership.Partition, shared.Logs.Count, shared.Host.Groups);
                }
            },
            cancellationToken);
        return known;
    }

    private async Task ReplayStatesAsync(LogImage image)
    {
        var replayed = 0;
        foreach (var (key, state) in image.States)
        {
            var participant = participants.Get(key);
            participant.Last = new StateVersion(participant, state.Version, null, null)
            {
                Content = new EncodedState(state.Encoded),
                Wts = state.Timestamp,
                Rts = state.Timestamp,
                Status = VersionStatus.Ordered,
                IsCommitted = true,
            };
            if (++replayed % StatesPerTurn == 0) await shared.Timers.Delay(0);
        }
    }

    /// <summary>
    /// L2: what the log says and nothing else. Undecided prepares are back in the chain, in the order in which they
    /// were logged.
    /// </summary>
    private void Replay(RecoveredPrepare prepare, LogImage image)
    {
        var outcome = image.OutcomeOf(prepare.Id, shared.Breaks == ProtocolBreaks.NoR7Recovery);
        if (outcome == false) return;
        if (outcome is null && shared.Breaks == ProtocolBreaks.DropPrepared) return;
        foreach (var write in prepare.Writes)
        {
            var last = participants.Get(write.Key).Last.Id;
            if (last == write.Base) continue;

            // It was built on something that has left the chain (R4), so it can't have committed.
            if (outcome == true)
            {
                throw new InvariantException(
                    $"Partition {ownership.Partition}: committed {prepare.Id} does not fit on version {last} "
                    + $"of {write.Key.Grain}.{write.Key.State}.");
            }

            recovered.Set(prepare.Id, false);
            return;
        }

        var branch = outcome is null ? branches.Recover(prepare) : null;
        foreach (var write in prepare.Writes)
        {
            var participant = participants.Get(write.Key);
            var last = participant.Last;
            var version = new StateVersion(participant, write.Id, branch, last)
            {
                Content = new EncodedState(write.Encoded),
                Wts = prepare.Timestamp,
                Rts = prepare.Timestamp,
                Status = VersionStatus.Ordered,
                IsCommitted = branch is null,
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
        if (branches.Find(prepare.Id) is not { State: BranchState.Logged } branch) return;
        foreach (var (id, epoch) in prepare.Dependencies)
        {
            if (branches.Find(id) is { } other) dependencies.Add(branch, other);
            else if (image.OutcomeOf(id) == true)
            {
                // V6: kept until this one is finally confirmed, even though as its manager this partition has forgotten
                // it.
                recovered.Set(id, true);
                (branch.RecoveredDependencies ??= []).Add(id);
            }
            else (branch.LostDependencies ??= []).Add(new CommitDependency(id, ownership.Partition, epoch));
        }
    }

    private void ReplayDecision(RecoveredCommit commit, LogImage image)
    {
        var decision = new Decision(commit.Id, commit.Parts, shared.Now)
        {
            Timestamp = commit.Timestamp,
            Round = commit.Round,
            State = DecisionState.Recorded,
            MustAcknowledge = new(commit.MustAcknowledge) { ToldAt = shared.Now },
            Unresolved = [.. commit.Dependencies],
            HadDependencies = commit.Dependencies.Length > 0,
        };
        if (image.Resolutions.TryGetValue(commit.Id, out var committed))
        {
            decision.ResolutionDurable = true;
            decision.Unresolved = null;
            if (!committed)
            {
                decisions.Open(decision);
                manager.Abort(decision);
                return;
            }
        }

        if (!decision.HasUnresolved || shared.Breaks == ProtocolBreaks.NoR7Recovery)
        {
            recovered.Set(commit.Id, true);
            if (!decision.AwaitsAcknowledgement) return;
            decisions.Open(decision);
            manager.Commit(decision);
            return;
        }

        decisions.Open(decision);
        queries.Ask(decision);
    }
}
