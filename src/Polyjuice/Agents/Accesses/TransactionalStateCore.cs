using Polyjuice.Contracts;
using Polyjuice.Partitions;
using Polyjuice.Policies;
using Polyjuice.Reservations;
using Polyjuice.Versions;

namespace Polyjuice.Agents;

/// <summary>
/// One transactional state of one grain activation: what the
/// host's <c>ITransactionalState&lt;T&gt;</c> calls. Turn only.
/// </summary>
/// <typeparam name="T">The state type.</typeparam>
internal sealed class TransactionalStateCore<T> where T : class
{
    private readonly EngineParts _engine;
    private readonly ParticipantKey _key;
    private readonly int _partition;
    private readonly StateClass _stateClass;
    private readonly StateAdapter<T> _adapter;
    private readonly bool _keepsTurn;
    private Participant? _participant;

    internal TransactionalStateCore(
        EngineParts engine, ParticipantKey key, int partition, StateClass stateClass, StateAdapter<T> adapter,
        bool keepsTurn)
    {
        _engine = engine;
        _key = key;
        _partition = partition;
        _stateClass = stateClass;
        _adapter = adapter;
        _keepsTurn = keepsTurn;
    }

    /// <summary>Reads. The function gets a copy (or an immutable version) and may run more than once.</summary>
    /// <param name="frame">The ambient call.</param>
    /// <param name="read">Must not change what it gets in ways that matter: changes are lost.</param>
    /// <exception cref="Exception">
    /// What the host's factory makes of a doomed attempt; it must reach the root.
    /// </exception>
    public ValueTask<TResult> ReadAsync<TResult>(CallFrame frame, Func<T, TResult> read) =>
        Access(frame, AccessKind.Read, read);

    /// <summary>Reads, modifies and writes. The function changes the copy that it is given.</summary>
    /// <param name="frame">The ambient call.</param>
    /// <param name="update">May run more than once.</param>
    /// <exception cref="Exception">
    /// What the host's factory makes of a doomed attempt; it must reach the root.
    /// </exception>
    public ValueTask<TResult> UpdateAsync<TResult>(CallFrame frame, Func<T, TResult> update) =>
        Access(frame, AccessKind.Update, update);

    /// <summary>
    /// After an update: what is to be done when nothing else can stop the commit any more, and may still refuse it by
    /// answering false. If it throws, the caller hears that the transaction is in doubt, and it aborts. There is one
    /// for each transaction at the most; a later one of the same state takes the place of the earlier.
    /// </summary>
    /// <param name="frame">The ambient call.</param>
    /// <param name="step">Called on the engine's turn, which it must not hold up, with the attempt's identity.</param>
    /// <exception cref="InvalidOperationException">The transaction has not updated the state.</exception>
    public void DecideBy(CallFrame frame, Func<TransactionId, Task<bool>> step)
    {
        if (frame.IsReconnaissance) return;
        if (FindParticipant(frame.Transaction) is not { } participant
            || frame.Transaction.BranchAt(participant.Owner) is not { } branch
            || branch.EntryOf(participant)?.Write is null)
            throw new InvalidOperationException($"The transaction has not updated {_key.State} of {_key.Grain}.");
        branch.FinalStep = step;
    }

    private ValueTask<TResult> Access<TResult>(CallFrame frame, AccessKind kind, Func<T, TResult> function)
    {
        if (frame.Transaction.DryRun is not null) return new(Scout(frame, kind, function));
        var access = Begin(frame, kind);
        var transaction = access.Transaction;
        if (transaction.IsReadOnly) return Snapshot(access, function);
        if (transaction.AccessNumber <= transaction.ReplayUpTo && transaction.Record is not null)
            return new(Replay(access, function));
        if (AccessWaits.MustWait(access)) return Slow(access, function);
        var result = Perform(access, function);
        if ((access.Row.Actions & PolicyActions.EarlyValidation) == 0)
        {
            access.End();
            return new(result);
        }

        return EarlyValidation.TryRun(access) ? new(result) : FinishEarly(access, result);
    }

    private StateAccess Begin(CallFrame frame, AccessKind kind)
    {
        var transaction = frame.Transaction;
        _engine.Lifecycle.ThrowIfUnusable(frame);
        frame.BeginAccess();
        var site = frame.Path.Site(_stateClass, kind);
        var participant = FindParticipant(transaction);
        transaction.AccessNumber++;
        _engine.Recording.Recorder?.Access(transaction, participant, site, kind);
        var access = new StateAccess(
            _engine, frame, transaction, participant, site, RowOf(transaction, participant, site, kind), kind,
            transaction.AccessNumber, _keepsTurn);
        if (kind == AccessKind.Update && transaction.IsReadOnly) access.Abort(AbortReason.ReadOnlyViolation);
        if (kind == AccessKind.Update) access.RequireLog();
        access.BeginSite();
        return access;
    }

    private PolicyRow RowOf(LocalTransaction transaction, Participant participant, SiteInfo site, AccessKind kind)
    {
        var policy = transaction.Policy;
        if (_engine.Conflicts.IsOn && !transaction.IsReadOnly)
            _engine.Conflicts.Accessed(participant, transaction, kind);
        if (!policy.HasHeat && !policy.ChoosesAdmissions && !policy.IsObserved)
            return policy.RowOf(site.Id, site.TypeId);
        if (policy.IsObserved && !transaction.IsReadOnly)
            participant.Observe(transaction, kind, ref _engine.Statistics.Observed);

        // Before any wait: a row that keeps transactions apart while
        // the participant is hot would otherwise cool it down.
        if (!transaction.IsReadOnly && participant.Warm(transaction, kind) && policy.ChoosesAdmissions)
            _engine.Hot.Note(participant);
        var row = policy.HasHeat && participant.Heat.IsHot
            ? policy.HotRowOf(site.Id, site.TypeId)
            : policy.RowOf(site.Id, site.TypeId);
        return transaction.KeepsWrites ? row.KeepingWrites : row;
    }

    private Participant FindParticipant(LocalTransaction transaction)
    {
        if (_participant is { } known && known.Owner.IsActive) return known;
        if (_engine.Partitions.Owner(_partition) is not { } owner)
        {
            _engine.Lifecycle.Doom(transaction, AbortReason.WrongOwner, null);
            throw _engine.Exceptions.DoomException(transaction);
        }

        var participant = owner.GetParticipant(_key);
        participant.Adapter ??= _adapter;
        transaction.HasLoaded |= !participant.IsLoaded;
        participant.IsLoaded = true;
        return _participant = participant;
    }

    private async ValueTask<TResult> Slow<TResult>(StateAccess access, Func<T, TResult> function)
    {
        // Calls and engine messages may travel by different ways, so the agent's word that it has given the attempt up
        // may be here before the call. Then nothing will end a wait of it here, and whoever waits behind it waits as
        // long.
        if (!access.Participant.Owner.TakesAccessesOf(access.Transaction)) access.Abort(AbortReason.AttemptEnded);
        access.Frame.BeginWait();
        try
        {
            access = access with { Place = await AccessWaits.WaitAsync(access) };
            var result = Perform(access, function);
            if ((access.Row.Actions & PolicyActions.EarlyValidation) == 0) access.End();
            else if (!EarlyValidation.TryRun(access)) await EarlyValidation.RunAsync(access);
            return result;
        }
        finally
        {
            access.Frame.EndWait();
        }
    }

    private async ValueTask<TResult> FinishEarly<TResult>(StateAccess access, TResult result)
    {
        access.Frame.BeginWait();
        try
        {
            await EarlyValidation.RunAsync(access);
            return result;
        }
        finally
        {
            access.Frame.EndWait();
        }
    }

    private async ValueTask<TResult> Snapshot<TResult>(StateAccess access, Func<T, TResult> read)
    {
        var version = await access.Participant.Owner.ReadSnapshotAsync(
            access.Transaction, access.Participant, access.Site.Id);
        if (version is null || access.Transaction.IsDoomed) access.Abort(AbortReason.ReadOnlySnapshot);
        access.EndSite();
        var value = Hand(version!);
        version!.Unpin();
        return UserCode.Call(read, value);
    }

    private TResult Perform<TResult>(StateAccess access, Func<T, TResult> function)
    {
        var entry = access.Enter();
        var before = entry.Write ?? entry.Read;
        TResult result;
        if (access.Kind == AccessKind.Read)
        {
            result = UserCode.Call(function, Hand(before));
            access.Note(entry, before, null);
            return result;
        }

        // The function gets a copy, and what is kept is a copy of that:
        // nothing that user code still holds can reach a version.
        var isShared = _engine.Breaks == ProtocolBreaks.SharedState;
        var working = isShared ? (T)before.GetValue(_adapter) : _adapter.Codec.Copy((T)before.GetValue(_adapter));
        result = UserCode.Call(function, working);
        var after = access.Write(entry, working, _adapter);
        access.Note(entry, before, after);
        return result;
    }

    /// <summary>
    /// Serves an access of a validated prefix from the record: the
    /// function runs again for its result, on what it saw before.
    /// </summary>
    private TResult Replay<TResult>(StateAccess access, Func<T, TResult> function)
    {
        var record = access.Recorded();
        _engine.Events?.ServedAgain(access.Transaction, record.Participant, record.Number);
        var value = _adapter.Codec.Copy((T)record.Before.GetValue(_adapter));
        var result = UserCode.Call(
            function,
            access.Kind == AccessKind.Read && _adapter.Codec.IsImmutable ? (T)record.Before.GetValue(_adapter) : value);
        if (record.After is { } after && !access.Matches(after, value, _adapter))
            access.Abort(AbortReason.EarlyValidation);
        access.EndSite();
        return result;
    }

    /// <summary>
    /// An access of a dry run, which never waits, and nobody else can tell that it was there. Reads the run's own
    /// scratch copy, or else the latest ordered version, whoever wrote it and whether it is decided or not: a dry run
    /// decides nothing. No branch, no entry in the access list, no read timestamp, no site.
    /// </summary>
    private TResult Scout<TResult>(CallFrame frame, AccessKind kind, Func<T, TResult> function)
    {
        var transaction = frame.Transaction;
        _engine.Lifecycle.ThrowIfUnusable(frame);
        var participant = FindParticipant(transaction);
        var dry = transaction.DryRun!;
        if (dry.Accesses.IsFull)
        {
            _engine.Lifecycle.Doom(transaction, AbortReason.Cancelled, null);
            throw _engine.Exceptions.DoomException(transaction);
        }

        dry.Accesses.Note(_key, _partition, _engine.Node, kind == AccessKind.Update);
        var value = (T)(dry.ScratchOf(participant) ?? participant.Last.GetValue(_adapter));
        if (kind == AccessKind.Read)
            return UserCode.Call(function, _adapter.Codec.IsImmutable ? value : _adapter.Codec.Copy(value));

        // As for real: what user code still holds can't reach what is kept.
        var working = _adapter.Codec.Copy(value);
        var result = UserCode.Call(function, working);
        dry.Keep(participant, _adapter.Codec.Copy(working));
        return result;
    }

    private T Hand(StateVersion version)
    {
        var value = (T)version.GetValue(_adapter);
        return _adapter.Codec.IsImmutable ? value : _adapter.Codec.Copy(value);
    }
}
