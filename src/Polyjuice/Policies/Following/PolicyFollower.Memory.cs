using System.Text;
using Polyjuice.Policies.Publishing;
using Polyjuice.Storage;

namespace Polyjuice.Policies.Following;

// What was seen published last: the place may lose it, and then nobody has said that an older release is to be in
// force.
public sealed partial class PolicyFollower
{
    private const int WritesMax = 3;

    private readonly Func<ILogNotes?> _notes;
    private HashSet<string> _seen = new(StringComparer.Ordinal);
    private PolicyMemory? _noted;
    private long _noteNumber;
    private bool _hasRecalled;
    private PolicyMemory? _toKeep;
    private PolicyHistory? _lost;
    private string? _noteFailure;

    /// <summary>
    /// Whether the place lacks entries that counted when they were seen, and has no new one that counts. Who publishes
    /// or rolls back
    /// after the loss says what is to be in force; a loss alone says nothing.
    /// </summary>
    private bool IsSetBack(PolicyHistory history)
    {
        var present = history.Entries.Where(static entry => entry.State != PolicyEntryState.Broken)
            .Select(static entry => entry.Sha256);
        return _seen.Except(present).Any() && _seen.IsSupersetOf(history.Counted);
    }

    /// <summary>Finds out, once, what the cluster's silos have seen before.</summary>
    private async Task RecallAsync(CancellationToken cancellationToken)
    {
        if (_hasRecalled || _notes() is not { } notes) return;
        try
        {
            var note = await notes.ReadNoteAsync(PolicyMemory.NoteName, cancellationToken);
            _hasRecalled = true;
            if (note is null) return;
            _noteNumber = note.Number;
            _noted = PolicyMemory.Read(note.Content);
            if (!_noted.Knows(_history.Counted)) return;
            _seen = new(_noted.Counted, StringComparer.Ordinal);
            _toKeep = _noted;
        }
        catch (Exception exception) when (
            exception is IOException or UnauthorizedAccessException or InvalidDataException)
        {
            SayNoteFailure(exception);
        }
    }

    /// <summary>
    /// The place has lost what was published last: what was in force stays so, here or from the note.
    /// </summary>
    private void KeepWhatWasSeen(PolicyHistory history)
    {
        if (_lost?.Chain == history.Chain) return;
        _lost = history;
        if (_toKeep is { } kept && kept.InForce != _release.Value) Keep(kept, history);
        else _logger.Lost(_repository.Location, history.Last, _policies.Policy.Name);
        _toKeep = null;
    }

    private void Keep(PolicyMemory kept, PolicyHistory history)
    {
        try
        {
            var policy = kept.Release == 0
                ? _start
                : new DocumentPolicy(
                    PolicyReader.Parse(_repository.Recall(kept.Release, kept.Entry).Policy, $"release {kept.Release}"));
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

    /// <summary>The place has what it had, or somebody has said since what is to be in force.</summary>
    private void Follow(PolicyHistory history)
    {
        if (_lost is not null) _logger.Found(_repository.Location, history.Last);
        (_lost, _toKeep) = (null, null);
        _history = history;
        if (history.Break is null) _seen = new(history.Counted, StringComparer.Ordinal);
    }

    /// <summary>Notes what counts now, for silos that start later.</summary>
    private async Task RememberAsync(PolicyHistory history, CancellationToken cancellationToken)
    {
        if (history.Break is not null || !_hasRecalled || _notes() is not { } notes) return;
        var counted = history.Counted.ToList();
        if (_noted is { } noted ? noted.Knows(counted) : counted.Count == 0) return;
        try
        {
            var release = history.InForce > 0
                ? await _repository.GetAsync(history.InForce, history, cancellationToken)
                : null;
            var (number, sha256) = history.ReleaseInForce;
            var entry = release is null ? "" : Encoding.UTF8.GetString(PolicyEntryFormat.Write(release));
            var memory = new PolicyMemory(counted, number, sha256, release?.Name ?? "", entry);
            for (var writes = 0; writes < WritesMax; writes++)
            {
                var note = memory.Write();
                if (await notes.WriteNoteAsync(PolicyMemory.NoteName, _noteNumber + 1, note, cancellationToken))
                {
                    (_noted, _noteNumber, _noteFailure) = (memory, _noteNumber + 1, null);
                    return;
                }

                // Another silo has. What it has seen may be more.
                if (await notes.ReadNoteAsync(PolicyMemory.NoteName, cancellationToken) is not { } other) continue;
                _noteNumber = other.Number;
                _noted = PolicyMemory.Read(other.Content);
                if (_noted.Knows(counted)) return;
            }
        }
        catch (Exception exception) when (
            exception is IOException or UnauthorizedAccessException or InvalidDataException)
        {
            SayNoteFailure(exception);
        }
    }

    private void SayNoteFailure(Exception exception)
    {
        if (_noteFailure != exception.Message) _logger.NotRemembered(exception, _repository.Location);
        _noteFailure = exception.Message;
    }
}
