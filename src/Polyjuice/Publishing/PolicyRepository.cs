using System.Security.Cryptography;
using System.Text;
using Polyjuice.Policies;

namespace Polyjuice.Publishing;

/// <summary>
/// Publishes policies, takes them back, and reads what was published. What is in force is what the last entry says that
/// counts. Publishers anywhere may use one place at the same time: who makes entry n + 1 has followed on entry n, and
/// the others are told. Thread-safe.
/// </summary>
/// <param name="entries">Where they are kept.</param>
/// <param name="time">The clock that entries are dated by.</param>
/// <param name="trust">Whose entries count. Default: everybody's.</param>
/// <param name="key">What entries made here are signed with. Default: they are not.</param>
internal sealed class PolicyRepository(
    IPolicyEntries entries, TimeProvider time, PolicyTrust? trust = null, PolicySigningKey? key = null)
{
    /// <summary>
    /// So many numbers in a row at the most are no entries and passed over; more than anybody leaves by accident.
    /// </summary>
    private const int UnreadMax = 16;

    private const string Missing = "is missing";

    private readonly PolicyTrust _trust = trust ?? PolicyTrust.Everybody;

    /// <summary>Where it is, for people.</summary>
    public string Location => entries.Location;

    /// <summary>What entries made here are signed with, if they are.</summary>
    public PolicyVerificationKey? Signer => key?.Verification;

    /// <summary>Publishes a policy: it is in force from then on, wherever the place is followed.</summary>
    /// <param name="policy">The document, as <see cref="PolicyReader"/> reads it.</param>
    /// <param name="by">Who publishes, for people; not empty.</param>
    /// <param name="provenance">Where it came from, such as <c>NAME.provenance.json</c>; kept as it is.</param>
    /// <param name="expected">
    /// The last entry's number that the publisher knows of; if there is
    /// another by now, nothing is published. Default: whichever there is.
    /// </param>
    /// <param name="cancellationToken">
    /// Gives up; whether it was published is then unknown, and <see cref="ReadAsync"/> says.
    /// </param>
    /// <returns>The entry. It is durable.</returns>
    /// <exception cref="PolicyFormatException">The document is no policy.</exception>
    /// <exception cref="PolicyConflictException">
    /// Somebody else has published meanwhile, or more than expected.
    /// </exception>
    /// <exception cref="PolicyHistoryBrokenException">What is there is damaged.</exception>
    /// <exception cref="InvalidOperationException">The key may not publish here.</exception>
    /// <exception cref="IOException">The place can't be reached.</exception>
    /// <exception cref="UnauthorizedAccessException">This process may not.</exception>
    public async Task<PolicyRelease> PublishAsync(
        string policy, string by, string? provenance = null, int? expected = null,
        CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(by);
        var document = new DocumentPolicy(PolicyReader.Parse(policy, "the policy")).Document;
        RequireKey(isRelease: true);
        var history = await ReadToFollowAsync(expected, cancellationToken);
        var entry = new PolicyRelease
        {
            Number = history.Last + 1, At = Now(), By = by, Previous = history.Chain, Name = document.Name,
            Policy = policy, Provenance = provenance ?? "",
        };
        return (PolicyRelease)await CreateAsync(entry, cancellationToken);
    }

    /// <summary>Takes the release that is in force back.</summary>
    /// <param name="reason">Why, for people; not empty.</param>
    /// <param name="by">Who does, for people; not empty.</param>
    /// <param name="to">
    /// The release that is to be in force again, 0 for what silos are started
    /// with. Default: the latest earlier one that was not taken back itself.
    /// </param>
    /// <param name="expected">As for <see cref="PublishAsync"/>.</param>
    /// <param name="cancellationToken">Gives up; whether it was published is then unknown.</param>
    /// <returns>The entry. It is durable.</returns>
    /// <exception cref="ArgumentException">There is nothing to take back, or nothing there to go back to.</exception>
    /// <exception cref="PolicyConflictException">
    /// Somebody else has published meanwhile, or more than expected.
    /// </exception>
    /// <exception cref="PolicyHistoryBrokenException">What is there is damaged.</exception>
    /// <exception cref="InvalidOperationException">The key may not roll back here.</exception>
    /// <exception cref="IOException">The place can't be reached.</exception>
    /// <exception cref="UnauthorizedAccessException">This process may not.</exception>
    public async Task<PolicyRollback> RollBackAsync(
        string reason, string by, int? to = null, int? expected = null, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(reason);
        ArgumentException.ThrowIfNullOrWhiteSpace(by);
        RequireKey(isRelease: false);
        var history = await ReadToFollowAsync(expected, cancellationToken);
        var of = history.InForce;
        if (of == 0)
            throw new ArgumentException(
                $"Nothing that was published in {Location} is in force, so there is nothing to take back.");
        var target = to ?? history.Before(of);
        if (history.ObjectionToTarget(of, target) is { } objection)
            throw new ArgumentException($"A rollback in {Location} {objection}.", nameof(to));
        var entry = new PolicyRollback
        {
            Number = history.Last + 1, At = Now(), By = by, Previous = history.Chain, Of = of, To = target,
            Reason = reason,
        };
        return (PolicyRollback)await CreateAsync(entry, cancellationToken);
    }

    /// <summary>Reads and verifies what was published.</summary>
    /// <param name="known">What was read before: only what came since is read.</param>
    /// <param name="cancellationToken">Gives up.</param>
    /// <exception cref="IOException">The place can't be reached.</exception>
    /// <exception cref="UnauthorizedAccessException">This process may not.</exception>
    public async Task<PolicyHistory> ReadAsync(
        PolicyHistory? known = null, CancellationToken cancellationToken = default)
    {
        // One that was broken, or has become shorter, is read anew: somebody may have restored what was missing, or
        // taken it away.
        var last = await entries.GetLastAsync(cancellationToken);
        var history = known is { Break: null } ? known.WithoutUnreadEnd() : PolicyHistory.Empty;
        if (!await IsThereAsync(history, last, cancellationToken)) history = PolicyHistory.Empty;

        // What is no entry: the next one that is says whether it ever was.
        var unread = new List<PolicyHistoryItem>();
        for (var number = history.Last + 1; number <= last && unread.Count <= UnreadMax; number++)
        {
            var (item, entry) = await ReadEntryAsync(number, cancellationToken);
            if (entry is null && item.State == PolicyEntryState.PassedOver)
            {
                unread.Add(item);
                continue;
            }

            if (entry is null) return history.With([.. unread, item]);
            if (entry.Previous != history.Chain)
            {
                var wrong = unread.Count > 0 ? unread[0] : NotFollowing(item, entry);
                return history.With([wrong with { State = PolicyEntryState.Broken }]);
            }

            history = history.With(unread);
            unread.Clear();
            history = history.With(Judge(item, entry, history), entry);
        }

        return await EndAsync(history, unread, last, cancellationToken);
    }

    /// <summary>A release with its document.</summary>
    /// <param name="number">Its number.</param>
    /// <param name="history">What was verified: it must be a release that counts there.</param>
    /// <param name="cancellationToken">Gives up.</param>
    /// <exception cref="ArgumentException">It is not.</exception>
    /// <exception cref="InvalidDataException">It is not what was verified any more, or is gone.</exception>
    /// <exception cref="IOException">The place can't be reached.</exception>
    public async Task<PolicyRelease> GetAsync(
        int number, PolicyHistory history, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(history);
        if (!history.IsRelease(number))
            throw new ArgumentException($"Entry {number} of {Location} is no release that counts.", nameof(number));
        var content = await entries.ReadAsync(number, cancellationToken);
        if (content is null || HashOf(content) != history.Entries[number - 1].Sha256)
            throw new InvalidDataException(
                $"Entry {number} of {Location} is {(content is null ? "gone" : "another than it was")}: restore it.");
        return (PolicyRelease)PolicyEntryFormat.Read(content, NameOf(number));
    }

    /// <summary>A release whose entry was kept elsewhere than in the place.</summary>
    /// <param name="number">Its number.</param>
    /// <param name="content">Its entry.</param>
    /// <exception cref="InvalidDataException">It is none, or none that counts here.</exception>
    internal PolicyRelease Recall(int number, string content)
    {
        try
        {
            var entry = PolicyEntryFormat.Read(Encoding.UTF8.GetBytes(content), NameOf(number));
            if (entry is not PolicyRelease release || entry.Number != number)
                throw new InvalidDataException("What was kept of it is another entry.");
            return _trust.Objection(entry, PolicyEntryFormat.DigestOf(entry)) is { } objection
                ? throw new InvalidDataException($"It {objection}.")
                : release;
        }
        catch (PolicyFormatException exception)
        {
            throw new InvalidDataException($"What was kept of it can't be read: {exception.Message}", exception);
        }
    }

    /// <summary>See <see cref="IPolicyEntries.Watch"/>.</summary>
    internal IDisposable? Watch(Action changed) => entries.Watch(changed);

    /// <summary>
    /// Whether what is known still is. If there is more, the next entry tells; if not, the last one may have been lost
    /// and its number taken again.
    /// </summary>
    private async Task<bool> IsThereAsync(PolicyHistory known, int last, CancellationToken cancellationToken)
    {
        if (known.Last != last || last == 0) return known.Last <= last;
        return (await ReadEntryAsync(last, cancellationToken)).Item.Sha256 == known.Entries[^1].Sha256;
    }

    /// <summary>What was looked at ends with what is no entry, or before what is not there.</summary>
    private async Task<PolicyHistory> EndAsync(
        PolicyHistory history, List<PolicyHistoryItem> unread, int last, CancellationToken cancellationToken)
    {
        var there = unread.FindLastIndex(static item => item.Problem != Missing) + 1;
        if (unread.Count <= UnreadMax) return history.With(unread.Take(there));

        // So many are never left out between two entries. If none of them is there at all, a file lies far away from
        // the others: if that is an entry, those before it are lost; if not, it is nobody's business.
        if (there == 0 && (await ReadEntryAsync(last, cancellationToken)).Item.State == PolicyEntryState.PassedOver)
            return history;
        return history.With([unread[0] with { State = PolicyEntryState.Broken }]);
    }

    private async Task<(PolicyHistoryItem Item, PolicyEntry? Entry)> ReadEntryAsync(
        int number, CancellationToken cancellationToken)
    {
        byte[]? content = null;
        PolicyEntry entry;
        try
        {
            content = await entries.ReadAsync(number, cancellationToken);
            if (content is null) return (NoEntry(number, Missing), null);
            entry = PolicyEntryFormat.Read(content, NameOf(number));
        }
        catch (PolicyFormatException exception) when (PolicyEntryFormat.IsOfNewerVersion(content!))
        {
            return (
                NoEntry(number, $"can't be read: {exception.Message}") with { State = PolicyEntryState.Broken }, null);
        }
        catch (Exception exception) when (exception is InvalidDataException or PolicyFormatException)
        {
            return (NoEntry(number, $"can't be read: {exception.Message}"), null);
        }

        if (entry.Number != number) return (NoEntry(number, $"says that it is entry {entry.Number}"), null);
        var item = new PolicyHistoryItem(number, PolicyEntryState.Valid, "", HashOf(content))
        {
            Text = entry is PolicyRollback rollback
                ? $"release {rollback.Of} taken back, {PolicyHistory.Describe(rollback.To)} again: {rollback.Reason}"
                : ((PolicyRelease)entry).Name,
            IsRelease = entry is PolicyRelease, At = entry.At, By = entry.By, Key = entry.Signature?.Key ?? "",
        };
        return (item, entry);
    }

    private PolicyHistoryItem Judge(PolicyHistoryItem item, PolicyEntry entry, PolicyHistory history)
    {
        var problem = _trust.Objection(entry, PolicyEntryFormat.DigestOf(entry))
            ?? (entry is PolicyRollback rollback ? history.ObjectionTo(rollback) : null);
        return problem is null ? item : item with { State = PolicyEntryState.PassedOver, Problem = problem };
    }

    private static PolicyHistoryItem NoEntry(int number, string problem) =>
        new(number, PolicyEntryState.PassedOver, problem, "");

    private static PolicyHistoryItem NotFollowing(PolicyHistoryItem item, PolicyEntry entry) => item with
    {
        Problem = "does not follow on the entry before it: it was made behind another one, of SHA-256 "
            + (entry.Previous.Length > 0 ? entry.Previous : "(none)"),
    };

    private async Task<PolicyHistory> ReadToFollowAsync(int? expected, CancellationToken cancellationToken)
    {
        var history = await ReadAsync(null, cancellationToken);
        if (history.Break is { } wrong) throw new PolicyHistoryBrokenException(Location, wrong);
        if (expected is { } number && number != history.Last)
            throw new PolicyConflictException(
                $"{Location} has {history.Last} entries, and {number} were expected. Look at them, and publish again "
                + "if it is still right.",
                history.Last);
        return history;
    }

    private async Task<PolicyEntry> CreateAsync(PolicyEntry entry, CancellationToken cancellationToken)
    {
        if (key is not null) entry = entry with { Signature = key.Sign(PolicyEntryFormat.DigestOf(entry)) };
        var content = PolicyEntryFormat.Write(entry);
        if (content.Length > IPolicyEntries.EntryBytesMax)
            throw new ArgumentException(
                $"The entry would have {content.Length} bytes, and may have {IPolicyEntries.EntryBytesMax}.");
        if (await entries.CreateAsync(entry.Number, content, cancellationToken)) return entry;

        // A request that was repeated, because its answer got lost, finds its own entry.
        var there = await entries.ReadAsync(entry.Number, cancellationToken);
        if (there is not null && there.AsSpan().SequenceEqual(content)) return entry;
        throw new PolicyConflictException(
            $"Somebody else has made entry {entry.Number} of {Location} at the same time, and nothing was published. "
            + "Look at it, and publish again if it is still right.",
            entry.Number);
    }

    private void RequireKey(bool isRelease)
    {
        if (!_trust.NeedsSignatures) return;
        if (key is null)
            throw new InvalidOperationException(
                $"Entries of {Location} need a signature here, and there is no key to sign with.");
        if (!_trust.Accepts(key.Verification, isRelease))
            throw new InvalidOperationException(
                $"Key {key.Verification.Id} may not {(isRelease ? "publish" : "roll back")} in {Location}: it is not "
                + "one of those that are configured for that.");
    }

    /// <summary>To the second, which is what entries say.</summary>
    private DateTimeOffset Now()
    {
        var now = time.GetUtcNow();
        return now.AddTicks(-(now.Ticks % TimeSpan.TicksPerSecond));
    }

    private string NameOf(int number) => $"entry {number} of {Location}";

    private static string HashOf(byte[] content) => Convert.ToHexStringLower(SHA256.HashData(content));
}
