using Polyjuice.Policies.Publishing;

namespace Polyjuice.Policies.Following;

// What a release does, and what becomes of one that is worse.
public sealed partial class PolicyFollower
{
    private (ReleaseId Release, ReleaseId Before, string Reason)? _owed;
    private ReleaseId _toldOwed;

    /// <summary>Whether the release in force is on trial.</summary>
    public bool IsOnTrial
    {
        get
        {
            lock (_gate) return _trial.Tried is not null;
        }
    }

    private async Task WatchLoadAsync(CancellationToken cancellationToken)
    {
        try
        {
            var (at, last) = (_time.GetTimestamp(), Count());
            while (true)
            {
                await Task.Delay(_options.Interval, _time, cancellationToken);
                var (now, counters) = (_time.GetTimestamp(), Count());
                var interval = last is { } earlier ? counters?.Since(earlier, _time.GetElapsedTime(at, now)) : null;
                (at, last) = (now, counters);
                Note(interval);
            }
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            // It ends.
        }
    }

    private LoadCounters? Count() => _load() is { } statistics ? LoadCounters.Of(statistics) : null;

    private void Note(LoadInterval? interval)
    {
        PolicyChange change;
        lock (_gate)
        {
            if (_policies.Current.Version != _version)
            {
                _version = _policies.Current.Version;
                _trial.Reset();
                _logger.SwappedByOthers(_policies.Policy.Name, _repository.Location);
                return;
            }

            var tried = _trial.Tried;
            if (_trial.Add(interval) is not { Outcome: not TrialOutcome.Open } verdict || tried is not { } trial) return;
            change = verdict.Outcome switch
            {
                TrialOutcome.Worse => PutBack(trial.Release, trial.Before, trial.Policy, verdict.Text),
                TrialOutcome.Kept =>
                    new(PolicyChangeKind.Kept, trial.Release.Number, _policies.Policy.Name, verdict.Text),
                _ => new(PolicyChangeKind.NotJudged, trial.Release.Number, _policies.Policy.Name, verdict.Text),
            };
        }

        switch (change.Kind)
        {
            case PolicyChangeKind.PutBack:
                _metrics.PutBack();
                _logger.PutBack(change.Release, _repository.Location, change.Policy, change.Text);
                break;
            case PolicyChangeKind.Kept:
                _logger.Kept(change.Release, _repository.Location, change.Text);
                break;
            default:
                _logger.NotJudged(change.Release, _repository.Location, change.Text);
                break;
        }

        Changed?.Invoke(change);
        if (change.Kind == PolicyChangeKind.PutBack) Wake();
    }

    /// <summary>Here at once; for all others by an entry, which the next look makes. It is not taken again, whatever becomes of that.</summary>
    private PolicyChange PutBack(ReleaseId release, ReleaseId before, IPolicyCompiler policy, string why)
    {
        _version = _policies.Swap(policy);
        _release = new(before);
        _barred.Add(release);
        _owed = (release, before, why);
        _trial.Reset();
        return new(PolicyChangeKind.PutBack, release.Number, policy.Name, why);
    }

    /// <summary>Publishes the rollback that is owed, if it still is. Says whether the look may go on with what it has read; if not, somebody else has published meanwhile.</summary>
    private async Task<bool> PayAsync(PolicyHistory history, CancellationToken cancellationToken)
    {
        (ReleaseId Release, ReleaseId Before, string Reason) owed;
        lock (_gate)
        {
            // Of several silos that find a release worse, one is first.
            if (_owed is not { } debt) return true;
            owed = debt;
            if (history.ReleaseInForce != owed.Release) _owed = null;
            if (_owed is null) return true;
        }

        var (of, before) = (owed.Release.Number, owed.Before.Number);
        var mayGoBack = history.Has(owed.Before) && history.ObjectionToTarget(of, before) is null;
        var to = mayGoBack ? before : history.Before(of);
        try
        {
            var entry = await _repository.RollBackAsync(owed.Reason, _name, to, history.Last, cancellationToken);
            _logger.RolledBack(entry.Number, _repository.Location, of);
            Changed?.Invoke(new(PolicyChangeKind.RolledBack, of, _policies.Policy.Name, owed.Reason));
        }
        catch (PolicyConflictException)
        {
            return false;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // Away for now, or a folder that this process may only read. Still owed, and said once; what is published after it settles it, too.
            if (_toldOwed != owed.Release) _logger.RollbackWaits(of, _repository.Location, exception.Message);
            _toldOwed = owed.Release;
            return true;
        }
        catch (Exception exception) when (exception is InvalidOperationException or ArgumentException)
        {
            _logger.NotRolledBack(of, _repository.Location, exception.Message);
        }

        lock (_gate) _owed = null;
        return true;
    }
}
