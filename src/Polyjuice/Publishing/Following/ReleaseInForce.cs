using System.Runtime.CompilerServices;
using Microsoft.Extensions.Logging;
using Polyjuice.Policies;

namespace Polyjuice.Publishing.Following;

/// <summary>
/// Which release is in force in this process, and what becomes of one that is worse than what was before it: it is put
/// back, and not taken again. Thread-safe.
/// </summary>
/// <param name="policies">Where tables are put in force.</param>
/// <param name="options">How long a release is on trial.</param>
/// <param name="rollback">Where it is owed to all others that a release was put back.</param>
/// <param name="location">Where releases are published, for people.</param>
/// <param name="logger">Where it says what it finds.</param>
internal sealed class ReleaseInForce(
    PolicyStore policies, PublishedPoliciesOptions options, OwedRollback rollback, string location, ILogger logger)
{
    private readonly Lock _gate = new();
    private readonly PolicyTrial _trial = new(options);
    private readonly HashSet<ReleaseId> _barred = [];
    private volatile StrongBox<ReleaseId> _release = new(ReleaseId.Start);
    private int _version = policies.Current.Version;

    /// <summary>Which it is.</summary>
    public ReleaseId Release => _release.Value;

    /// <summary>Whether it is on trial.</summary>
    public bool IsOnTrial
    {
        get
        {
            lock (_gate) return _trial.Tried is not null;
        }
    }

    /// <summary>Whether a release was put back here.</summary>
    public bool IsBarred(ReleaseId release)
    {
        lock (_gate) return _barred.Contains(release);
    }

    /// <summary>Puts one in force, unless it was put back before. If it throws, nothing has changed.</summary>
    /// <returns>Whether it is in force.</returns>
    public bool Put(ReleaseId release, IPolicyCompiler policy, bool isOnTrial)
    {
        lock (_gate)
        {
            if (_barred.Contains(release)) return false;
            var (before, earlier) = (_release.Value, policies.Policy);
            _version = policies.Swap(policy);
            _release = new(release);
            if (isOnTrial) _trial.Begin(release, before, earlier);
            else _trial.Reset();
            return true;
        }
    }

    /// <summary>Another interval has passed.</summary>
    /// <param name="interval">What was done in it; <see langword="null"/> if nobody knows.</param>
    /// <returns>How the trial has ended, if it has.</returns>
    public PolicyChange? Note(LoadInterval? interval)
    {
        lock (_gate)
        {
            if (policies.Current.Version != _version)
            {
                _version = policies.Current.Version;
                _trial.Reset();
                logger.SwappedByOthers(policies.Policy.Name, location);
                return null;
            }

            var tried = _trial.Tried;
            if (_trial.Add(interval) is not { Outcome: not TrialOutcome.Open } verdict || tried is not { } trial)
                return null;
            return verdict.Outcome switch
            {
                TrialOutcome.Worse => PutBack(trial.Release, trial.Before, trial.Policy, verdict.Text),
                TrialOutcome.Kept =>
                    new(PolicyChangeKind.Kept, trial.Release.Number, policies.Policy.Name, verdict.Text),
                _ => new(PolicyChangeKind.NotJudged, trial.Release.Number, policies.Policy.Name, verdict.Text),
            };
        }
    }

    // Here at once; for all others by an entry, which the next look makes. It is not taken again, whatever becomes of
    // that.
    private PolicyChange PutBack(ReleaseId release, ReleaseId before, IPolicyCompiler policy, string why)
    {
        _version = policies.Swap(policy);
        _release = new(before);
        _barred.Add(release);
        rollback.Owe(release, before, why);
        _trial.Reset();
        return new(PolicyChangeKind.PutBack, release.Number, policy.Name, why);
    }
}
