using Microsoft.Extensions.Logging;
using Polyjuice.Policies;

namespace Polyjuice.Publishing.Following;

/// <summary>
/// The rollback that a process owes to all others once it has put a release back: an entry, which the next look
/// publishes. Thread-safe; one flow pays.
/// </summary>
/// <param name="repository">Where it is published.</param>
/// <param name="policies">What is in force here.</param>
/// <param name="name">Who rolls back, for people.</param>
/// <param name="logger">Where it says what it does.</param>
/// <param name="done">Hears of it once it is published.</param>
internal sealed class OwedRollback(
    PolicyRepository repository, PolicyStore policies, string name, ILogger logger, Action<PolicyChange> done)
{
    private readonly Lock _gate = new();
    private (ReleaseId Release, ReleaseId Before, string Reason)? _owed;
    private ReleaseId _toldOwed;

    /// <summary>From now on it is owed.</summary>
    /// <param name="release">The release that is worse.</param>
    /// <param name="before">What was in force before it.</param>
    /// <param name="reason">Why.</param>
    public void Owe(ReleaseId release, ReleaseId before, string reason)
    {
        lock (_gate) _owed = (release, before, reason);
    }

    /// <summary>
    /// Publishes it, if it still is owed. Says whether the look may go on with what it has read; if not, somebody else
    /// has published meanwhile.
    /// </summary>
    public async Task<bool> PayAsync(PolicyHistory history, CancellationToken cancellationToken)
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
            var entry = await repository.RollBackAsync(owed.Reason, name, to, history.Last, cancellationToken);
            logger.RolledBack(entry.Number, repository.Location, of);
            done(new(PolicyChangeKind.RolledBack, of, policies.Policy.Name, owed.Reason));
        }
        catch (PolicyConflictException)
        {
            return false;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // Away for now, or a folder that this process may only read. Still owed, and said once; what is published
            // after it settles it, too.
            if (_toldOwed != owed.Release) logger.RollbackWaits(of, repository.Location, exception.Message);
            _toldOwed = owed.Release;
            return true;
        }
        catch (Exception exception) when (exception is InvalidOperationException or ArgumentException)
        {
            logger.NotRolledBack(of, repository.Location, exception.Message);
        }

        lock (_gate) _owed = null;
        return true;
    }
}
