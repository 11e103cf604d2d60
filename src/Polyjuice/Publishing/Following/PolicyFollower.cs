using System.Diagnostics.Metrics;
using Microsoft.Extensions.Logging;
using Polyjuice.Contracts;
using Polyjuice.Policies;
using Polyjuice.Storage;

namespace Polyjuice.Publishing.Following;

/// <summary>
/// Puts in force what is published, one follower for each <see cref="PolicyStore"/>: looks for new entries, verifies
/// them, compiles the table before it is swapped in, watches what it does for a time, and takes it back by itself if it
/// is worse (<c>docs/operate/publishing.md</c>). What can't be read, verified or used changes nothing. Thread-safe.
/// </summary>
internal sealed class PolicyFollower : IDisposable
{
    private const int LooksAtOnceMax = 3;

    private readonly PolicyRepository _repository;
    private readonly PolicyStore _policies;
    private readonly Func<EngineStatistics?> _load;
    private readonly PublishedPoliciesOptions _options;
    private readonly TimeProvider _time;
    private readonly ILogger _logger;
    private readonly IPolicyCompiler _start;
    private readonly LookPause _pause;
    private readonly SeenReleases _seen = new();
    private readonly FollowerNotes _notes;
    private readonly OwedRollback _rollback;
    private readonly ReleaseInForce _inForce;
    private readonly FollowerMetrics _metrics;
    private PolicyHistoryItem? _reportedBreak;
    private IDisposable? _watch;
    private bool _hasLooked;
    private string? _failure;
    private (ReleaseId Release, int SitesSeen)? _refused;

    // What was put in force before any transaction had run here, so that nobody could tell whether it is for these.
    private (ReleaseId Release, DocumentPolicy Policy)? _unproven;

    /// <summary>Makes one; <see cref="RunAsync"/> starts it.</summary>
    /// <param name="repository">
    /// What is followed; with a key, if keys are needed there and this process is to roll back for all.
    /// </param>
    /// <param name="policies">
    /// Where tables are put in force. What is there now is what a rollback to 0 goes back to.
    /// </param>
    /// <param name="load">
    /// The counters of the engines that run under those tables, or <see langword="null"/> as long as there are none.
    /// </param>
    /// <param name="options">How; validated here, and must not change afterwards.</param>
    /// <param name="time">The clock.</param>
    /// <param name="logger">Where it says what it does.</param>
    /// <param name="name">Who rolls back, for people: the silo's name.</param>
    /// <param name="notes">
    /// Where it remembers what it has seen published last, so that a process that starts notices what the place has
    /// lost; asked at each look, <see langword="null"/> as long as there is no such place. Default: nothing is
    /// remembered beyond the process.
    /// </param>
    /// <param name="meters">Whose meter <c>Polyjuice</c> it measures with; by default it makes one of its own.</param>
    /// <exception cref="System.ComponentModel.DataAnnotations.ValidationException">
    /// An option is out of its bounds.
    /// </exception>
    internal PolicyFollower(
        PolicyRepository repository, PolicyStore policies, Func<EngineStatistics?> load,
        PublishedPoliciesOptions options, TimeProvider time, ILogger logger, string name,
        Func<ILogNotes?>? notes = null, IMeterFactory? meters = null)
    {
        options.Validate();
        ArgumentException.ThrowIfNullOrWhiteSpace(name);
        _repository = repository;
        _policies = policies;
        _load = load;
        _options = options;
        _time = time;
        _logger = logger;
        _start = policies.Policy;
        _pause = new LookPause(options.PollInterval, time);
        _notes = new FollowerNotes(repository, notes ?? (static () => null), logger);
        _rollback = new OwedRollback(repository, policies, name, logger, change => Changed?.Invoke(change));
        _inForce = new ReleaseInForce(policies, options, _rollback, repository.Location, logger);
        _metrics = new FollowerMetrics(() => Release, meters);
    }

    /// <summary>
    /// What it has done, as soon as it has. Called on the follower's
    /// own flow, one at a time as a rule; must not block or throw.
    /// </summary>
    public event Action<PolicyChange>? Changed;

    /// <summary>What it follows.</summary>
    internal PolicyRepository Repository => _repository;

    /// <summary>The release in force here; 0 for what the process was started with.</summary>
    public int Release => _inForce.Release.Number;

    /// <summary>Whether the release in force is on trial.</summary>
    public bool IsOnTrial => _inForce.IsOnTrial;

    /// <summary>Follows until it is cancelled; then it completes without an exception. Once.</summary>
    /// <param name="cancellationToken">Ends it.</param>
    internal async Task RunAsync(CancellationToken cancellationToken)
    {
        using var ending = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        var watching = _options.Trial > TimeSpan.Zero ? WatchLoadAsync(ending.Token) : Task.CompletedTask;
        try
        {
            while (true)
            {
                await LookAsync(cancellationToken);
                await _pause.WaitAsync(cancellationToken);
            }
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            // It ends.
        }
        finally
        {
            ending.Cancel();
            _watch?.Dispose();
            _watch = null;
        }

        await watching;
    }

    /// <inheritdoc/>
    public void Dispose() => _metrics.Dispose();

    private async Task LookAsync(CancellationToken cancellationToken)
    {
        try
        {
            _watch ??= _repository.Watch(_pause.End);
            for (var looks = 1; looks <= LooksAtOnceMax && !await LookOnceAsync(cancellationToken); looks++)
            {
            }

            if (_failure is not null) _logger.ReadableAgain(_repository.Location);
            _failure = null;
        }
        catch (Exception exception)
            when (exception is not OperationCanceledException || !cancellationToken.IsCancellationRequested)
        {
            // Whatever it is, the policy in force stays, and it is tried again. Said once, not at every poll.
            var failure = $"{exception.GetType()}: {exception.Message}";
            if (failure != _failure) _logger.NotReadable(exception, _repository.Location);
            _failure = failure;
        }
    }

    /// <summary>Says whether it is through; if not, somebody else has published meanwhile.</summary>
    private async Task<bool> LookOnceAsync(CancellationToken cancellationToken)
    {
        if (await _notes.RecallAsync(cancellationToken) is { } memory) _seen.Recall(memory);
        var history = await _repository.ReadAsync(_seen.Known, cancellationToken);
        Report(history);
        if (_seen.IsSetBack(history))
        {
            KeepWhatWasSeen(history);
            _hasLooked = true;
            return true;
        }

        if (_seen.Follow(history)) _logger.Found(_repository.Location, history.Last);
        if (!_hasLooked) SayWhatIsThere(history);
        if (!await _rollback.PayAsync(history, cancellationToken)) return false;

        // Of a history that ends too early, only who knows nothing better takes what is left.
        if (history.Break is null || !_hasLooked) await TakeAsync(history, cancellationToken);
        _hasLooked = true;
        await _notes.RememberAsync(history, cancellationToken);
        return true;
    }

    private void SayWhatIsThere(PolicyHistory history)
    {
        if (history.InForce == 0) _logger.FollowsNothing(_repository.Location, _policies.Policy.Name);
        else _logger.Follows(_repository.Location, history.InForce, history.Entries[history.InForce - 1].Text);
    }

    /// <summary>
    /// A process that has just begun takes what is published, because it has seen no transaction that says otherwise.
    /// Once some have run, it refuses what one that has run for longer has refused: else silos would differ by age.
    /// </summary>
    private async Task DropForOthersAsync(PolicyHistory history, CancellationToken cancellationToken)
    {
        if (_unproven is not { } taken) return;
        var seen = _policies.Registry.Version;
        if (taken.Release == _inForce.Release && ReferenceEquals(taken.Policy, _policies.Policy))
        {
            if (_policies.Registry.Types.Count == 0) return;
            try
            {
                RequireKnownTypes(taken.Policy.Document);
            }
            catch (ArgumentException exception)
            {
                var (release, policy) = await EarlierAsync(taken.Release.Number, history, cancellationToken);
                _inForce.Put(release, policy, isOnTrial: false);
                _metrics.Swapped();
                Refuse(taken.Release, seen, exception);
            }
        }

        _unproven = null;
    }

    /// <summary>The latest release before one that a process which has run these transactions takes.</summary>
    private async Task<(ReleaseId Release, IPolicyCompiler Policy)> EarlierAsync(
        int number, PolicyHistory history, CancellationToken cancellationToken)
    {
        for (number = history.Before(number); number > 0; number = history.Before(number))
        {
            var id = new ReleaseId(number, history.Entries[number - 1].Sha256);
            if (_inForce.IsBarred(id)) continue;
            var release = await _repository.GetAsync(number, history, cancellationToken);
            try
            {
                return (id, PolicyForThese(release.Policy, number));
            }
            catch (Exception exception) when (exception is PolicyFormatException or ArgumentException)
            {
                // It was refused, too, where it was seen.
            }
        }

        return (ReleaseId.Start, _start);
    }

    private async Task TakeAsync(PolicyHistory history, CancellationToken cancellationToken)
    {
        await DropForOthersAsync(history, cancellationToken);
        var target = history.ReleaseInForce;
        var seen = _policies.Registry.Version;
        if (target == _inForce.Release || _inForce.IsBarred(target) || _refused == (target, seen)) return;
        IPolicyCompiler policy = _start;
        if (target.Number > 0)
        {
            var release = await _repository.GetAsync(target.Number, history, cancellationToken);
            try
            {
                policy = PolicyForThese(release.Policy, target.Number);
            }
            catch (Exception exception)
            {
                Refuse(target, seen, exception);
                return;
            }
        }

        // Who has rolled back comes back to what it knows; what was published
        // last is on trial, unless the process has only just begun.
        var isNew = history.Entries
            .LastOrDefault(entry => entry.State == PolicyEntryState.Valid)?.Number == target.Number;
        try
        {
            PutInForce(target, policy, isNew && _hasLooked && _options.Trial > TimeSpan.Zero);
        }
        catch (Exception exception)
        {
            Refuse(target, seen, exception);
        }
    }

    /// <summary>
    /// The place has lost what was published last: what was in force stays so, here or from the note.
    /// </summary>
    private void KeepWhatWasSeen(PolicyHistory history)
    {
        if (!_seen.Lose(history, out var recalled)) return;
        if (recalled is not null && recalled.InForce != _inForce.Release) Keep(recalled, history);
        else _logger.Lost(_repository.Location, history.Last, _policies.Policy.Name);
    }

    private void Keep(PolicyMemory kept, PolicyHistory history)
    {
        try
        {
            var policy = kept.Release == 0
                ? _start
                : PolicyOf(_repository.Recall(kept.Release, kept.Entry).Policy, kept.Release);
            PutInForce(kept.InForce, policy, isOnTrial: false);
            _logger.Lost(_repository.Location, history.Last, policy.Name);
        }
        catch (Exception exception) when (
            exception is InvalidDataException or FormatException or ArgumentException or InvalidOperationException)
        {
            _metrics.Refused();
            _logger.LostForGood(
                _repository.Location, history.Last, kept.Name, kept.Release, exception.Message, _policies.Policy.Name);
            Changed?.Invoke(new(PolicyChangeKind.Refused, kept.Release, _policies.Policy.Name, exception.Message));
        }
    }

    /// <summary>If it throws, nothing has changed.</summary>
    private void PutInForce(ReleaseId release, IPolicyCompiler policy, bool isOnTrial)
    {
        if (!_inForce.Put(release, policy, isOnTrial)) return;
        _refused = null;
        _unproven = policy is DocumentPolicy document && release.Number > 0 && _policies.Registry.Types.Count == 0
            ? (release, document)
            : null;
        var change = new PolicyChange(
            PolicyChangeKind.Taken, release.Number, policy.Name,
            isOnTrial ? $"It is on trial for {_options.Trial.TotalSeconds:0.#} s." : "");
        _metrics.Swapped();
        _logger.Taken(policy.Name, release.Number, _repository.Location, change.Text);
        Changed?.Invoke(change);
    }

    private void Refuse(ReleaseId release, int sitesSeen, Exception exception)
    {
        // What a process has not seen yet may make the difference, so
        // it is tried again when it has seen more, and said once.
        var isKnown = _refused?.Release == release;
        _refused = (release, sitesSeen);
        if (isKnown) return;
        _metrics.Refused();
        _logger.Refused(release.Number, _repository.Location, _policies.Policy.Name, exception.Message);
        Changed?.Invoke(new(PolicyChangeKind.Refused, release.Number, _policies.Policy.Name, exception.Message));
    }

    private DocumentPolicy PolicyForThese(string text, int release)
    {
        var policy = PolicyOf(text, release);
        RequireKnownTypes(policy.Document);
        return policy;
    }

    private static DocumentPolicy PolicyOf(string text, int release) =>
        new(PolicyReader.Parse(text, $"release {release}"));

    /// <summary>A table for another workload compiles, and says nothing about any transaction here.</summary>
    private void RequireKnownTypes(PolicyDocument document)
    {
        var (named, seen) = (document.Catalogue.Types, _policies.Registry.Types);
        if (named.Count == 0 || seen.Count == 0 || named.Any(type => seen.Contains(type.Name))) return;
        throw new ArgumentException(
            $"Policy {document.Name} is for other transactions: its catalogue has "
            + $"{string.Join(", ", named.Take(3).Select(type => type.Name))}{(named.Count > 3 ? ", …" : "")}, and none "
            + "of those that this process has run so far "
            + $"({string.Join(", ", seen.Take(3))}{(seen.Count > 3 ? ", …" : "")}).");
    }

    private void Report(PolicyHistory history)
    {
        // From the start again after a break, so some of it was said before.
        for (var number = Math.Min(_seen.Known.Last, history.Last); number < history.Last; number++)
        {
            if (history.Entries[number] is { State: PolicyEntryState.PassedOver } item)
                _logger.PassedOver(item.Number, _repository.Location, item.Problem);
        }

        if (history.Break is { } wrong && wrong != _reportedBreak)
            _logger.Broken(wrong.Number, _repository.Location, wrong.Problem);
        _reportedBreak = history.Break;
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
                if (_inForce.Note(interval) is { } ended) Tell(ended);
            }
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            // It ends.
        }
    }

    private LoadCounters? Count() => _load() is { } statistics ? LoadCounters.Of(statistics) : null;

    /// <summary>A trial has ended.</summary>
    private void Tell(PolicyChange change)
    {
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
        if (change.Kind == PolicyChangeKind.PutBack) _pause.End();
    }
}
