using System.Text;
using Microsoft.Extensions.Logging;
using Polyjuice.Storage;

namespace Polyjuice.Publishing.Following;

/// <summary>
/// The note that a cluster's silos keep of what they have seen published, for those that start later. For one flow.
/// </summary>
/// <param name="repository">Where entries are published.</param>
/// <param name="find">Where notes are kept; <see langword="null"/> as long as there is no such place.</param>
/// <param name="logger">Where it says what fails.</param>
internal sealed class FollowerNotes(PolicyRepository repository, Func<ILogNotes?> find, ILogger logger)
{
    private const int WritesMax = 3;

    private PolicyMemory? _noted;
    private long _number;
    private bool _hasRecalled;
    private string? _failure;

    /// <summary>Finds out, once, what the cluster's silos have seen before.</summary>
    /// <returns>That, the one time that it is found; otherwise nothing.</returns>
    public async Task<PolicyMemory?> RecallAsync(CancellationToken cancellationToken)
    {
        if (_hasRecalled || find() is not { } notes) return null;
        try
        {
            var note = await notes.ReadNoteAsync(PolicyMemory.NoteName, cancellationToken);
            _hasRecalled = true;
            if (note is null) return null;
            _number = note.Number;
            return _noted = PolicyMemory.Read(note.Content);
        }
        catch (Exception exception) when (
            exception is IOException or UnauthorizedAccessException or InvalidDataException)
        {
            SayFailure(exception);
            return null;
        }
    }

    /// <summary>Notes what counts now.</summary>
    public async Task RememberAsync(PolicyHistory history, CancellationToken cancellationToken)
    {
        if (history.Break is not null || !_hasRecalled || find() is not { } notes) return;
        var counted = history.Counted.ToList();
        if (_noted is { } noted ? noted.Knows(counted) : counted.Count == 0) return;
        try
        {
            var release = history.InForce > 0
                ? await repository.GetAsync(history.InForce, history, cancellationToken)
                : null;
            var (number, sha256) = history.ReleaseInForce;
            var entry = release is null ? "" : Encoding.UTF8.GetString(PolicyEntryFormat.Write(release));
            var memory = new PolicyMemory(counted, number, sha256, release?.Name ?? "", entry);
            for (var writes = 0; writes < WritesMax; writes++)
            {
                var note = memory.Write();
                if (await notes.WriteNoteAsync(PolicyMemory.NoteName, _number + 1, note, cancellationToken))
                {
                    (_noted, _number, _failure) = (memory, _number + 1, null);
                    return;
                }

                // Another silo has. What it has seen may be more.
                if (await notes.ReadNoteAsync(PolicyMemory.NoteName, cancellationToken) is not { } other) continue;
                _number = other.Number;
                _noted = PolicyMemory.Read(other.Content);
                if (_noted.Knows(counted)) return;
            }
        }
        catch (Exception exception) when (
            exception is IOException or UnauthorizedAccessException or InvalidDataException)
        {
            SayFailure(exception);
        }
    }

    private void SayFailure(Exception exception)
    {
        if (_failure != exception.Message) logger.NotRemembered(exception, repository.Location);
        _failure = exception.Message;
    }
}
