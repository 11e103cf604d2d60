using Polyjuice.Policies;
using Polyjuice.Publishing;
using Polyjuice.Publishing.Following;

namespace Polyjuice.LiveView.Policies;

/// <summary>
/// What was published for all silos that follow one place (<c>docs/operate/publishing.md</c>): versions are its
/// entries, and 0 is what silos are started with. A rollback is published there, so that all of them follow it.
/// Thread-safe.
/// </summary>
/// <param name="repository">The place, with a key that may roll back if it needs one.</param>
/// <param name="policies">This process's policies, the first of which is what it was started with.</param>
/// <param name="follower">
/// Who puts in force here what is published there; <see langword="null"/> where nobody does, as in a trainer.
/// </param>
internal sealed class PublishedPolicyActions(
    PolicyRepository repository, PolicyStore policies, PolicyFollower? follower) : IPolicyActions
{
    private readonly SemaphoreSlim _gate = new(1, 1);
    private readonly IPolicyCompiler _start = policies.History[0].Policy;
    private readonly Dictionary<string, IPolicyCompiler> _releases = new(StringComparer.Ordinal);
    private PolicyHistory _history = PolicyHistory.Empty;

    /// <inheritdoc/>
    /// <remarks>While the place can't be reached it is what was read last, with a word of that.</remarks>
    public async ValueTask<IReadOnlyList<PolicyVersion>> GetHistoryAsync(CancellationToken cancellationToken)
    {
        await _gate.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            string? failure = null;
            try
            {
                await ReadAsync(cancellationToken).ConfigureAwait(false);
            }
            catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
            {
                failure = exception.Message;
            }

            var versions = new List<PolicyVersion> { Start };
            foreach (var entry in Shown()) versions.Add(Describe(entry, PolicyOf(entry.InForce)!));

            if (failure is not null)
                versions[^1] = versions[^1] with
                {
                    Note = $"{versions[^1].Note} (there may be more by now: {failure})"
                };
            return versions;
        }
        finally
        {
            _gate.Release();
        }
    }

    /// <inheritdoc/>
    /// <remarks>
    /// A silo that could not take the latest entry, or has taken it back for itself alone, runs under an older one: a
    /// heat map over the published table would show waits at rows that they are not of.
    /// </remarks>
    public async ValueTask<PolicyRunning> GetRunningAsync(CancellationToken cancellationToken)
    {
        var latest = (await GetHistoryAsync(cancellationToken).ConfigureAwait(false))[^1];
        if (follower is null) return new(latest, "");
        await _gate.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            var release = follower.Release;
            var entry = Shown().LastOrDefault(entry => entry.InForce == release);
            var version = entry is null ? Start : Describe(entry, PolicyOf(release)!);
            return new(
                version with { Name = policies.Policy.Name, Policy = policies.Policy },
                version.Number == latest.Number
                    ? ""
                    : $"Version {latest.Number} ({latest.Name}) is in force in {repository.Location}, but not here.");
        }
        finally
        {
            _gate.Release();
        }
    }

    /// <inheritdoc/>
    public async ValueTask<PolicyVersion> RollBackAsync(PolicyRollback rollback, CancellationToken cancellationToken)
    {
        await _gate.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            await ReadAsync(cancellationToken).ConfigureAwait(false);
            if (rollback.To < 0 || rollback.To > _history.Last)
                throw new PolicyActionException(
                    $"There is no version {rollback.To} in {repository.Location}, which has {_history.Last}.");
            var latest = _history.Entries.LastOrDefault(static entry => entry.State == PolicyEntryState.Valid)?.Number
                ?? 0;
            if (rollback.From != latest)
                throw new PolicyActionException(
                    $"Version {rollback.From} is not in force any more. Look at what is, and decide again.");
            var to = rollback.To == 0 ? 0 : _history.Entries[(int)rollback.To - 1].InForce;
            var made = await repository.RollBackAsync(
                rollback.Reason, rollback.By, to, _history.Last, cancellationToken)
                .ConfigureAwait(false);
            await ReadAsync(cancellationToken).ConfigureAwait(false);
            return Describe(_history.Entries[made.Number - 1], PolicyOf(to)!);
        }
        catch (Exception exception)
            when (exception is ArgumentException or InvalidOperationException or InvalidDataException
                or PolicyConflictException or PolicyHistoryBrokenException or IOException
                or UnauthorizedAccessException)
        {
            throw new PolicyActionException(exception.Message);
        }
        finally
        {
            _gate.Release();
        }
    }

    private PolicyVersion Start => new(0, _start.Name, null, "what silos are started with", _start);

    private IEnumerable<PolicyHistoryItem> Shown() =>
        _history.Entries.Where(entry => entry.State == PolicyEntryState.Valid && PolicyOf(entry.InForce) is not null);

    private static PolicyVersion Describe(PolicyHistoryItem entry, IPolicyCompiler policy) =>
        new(
            entry.Number,
            policy.Name,
            entry.At,
            entry.IsRelease ? $"published by {entry.By}" : $"{entry.Text} ({entry.By})",
            policy);

    /// <summary>The policy of a release; <see langword="null"/> if it could not be read.</summary>
    private IPolicyCompiler? PolicyOf(int release) =>
        release == 0 ? _start : release > _history.Last ? null : _releases.GetValueOrDefault(
            _history.Entries[release - 1].Sha256);

    private async Task ReadAsync(CancellationToken cancellationToken)
    {
        _history = await repository.ReadAsync(_history, cancellationToken).ConfigureAwait(false);
        foreach (var entry in _history.Entries)
        {
            if (entry is not { State: PolicyEntryState.Valid, IsRelease: true } || _releases.ContainsKey(entry.Sha256))
                continue;
            try
            {
                var release = await repository.GetAsync(
                    entry.Number, _history, cancellationToken).ConfigureAwait(false);
                _releases[entry.Sha256] = new DocumentPolicy(PolicyReader.Parse(release.Policy, release.Name));
            }
            catch (InvalidDataException)
            {
                // Gone or changed since: the others can be shown all the same, and the log and 'policy status' say so.
            }
        }
    }
}
