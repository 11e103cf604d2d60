using System.Collections.Immutable;

namespace Polyjuice.Publishing;

/// <summary>
/// What was published up to some entry, and what follows from it. Entries are verified one after the other. What is no
/// entry, and was none when the next one was made (which names the one before it), is passed over, and so is an entry
/// that is not signed as it should be, or makes no sense: those behind count. Where an entry is gone, or does not
/// continue the one before it, the history ends, because what comes behind can't be trusted to be what was published.
/// Without the documents' texts. Immutable.
/// </summary>
internal sealed class PolicyHistory
{
    private readonly ImmutableSortedSet<int> _rolledBack;

    private PolicyHistory(ImmutableList<PolicyHistoryItem> items, int inForce, ImmutableSortedSet<int> rolledBack)
    {
        Entries = items;
        InForce = inForce;
        _rolledBack = rolledBack;
    }

    /// <summary>Before anything was published.</summary>
    public static PolicyHistory Empty { get; } = new([], 0, []);

    /// <summary>All entries up to the last one that was looked at, from number 1.</summary>
    public IReadOnlyList<PolicyHistoryItem> Entries { get; }

    /// <summary>The highest number that was looked at; 0 if there is none.</summary>
    public int Last => Entries.Count;

    /// <summary>The release that is in force; 0 for what silos were started with.</summary>
    public int InForce { get; }

    /// <summary>Where the history ends too early, or <see langword="null"/> if it is whole.</summary>
    public PolicyHistoryItem? Break =>
        Entries.Count > 0 && Entries[^1].State == PolicyEntryState.Broken ? Entries[^1] : null;

    /// <summary>
    /// Whether a release was taken back; it is not taken again until it is published anew, as another one.
    /// </summary>
    /// <param name="release">Its number.</param>
    public bool IsRolledBack(int release) => _rolledBack.Contains(release);

    /// <summary>
    /// The release to go back to if nobody says which: the latest below, of
    /// those that count, that was not taken back itself; 0 if there is none.
    /// </summary>
    /// <param name="release">The one that is to be taken back.</param>
    public int Before(int release)
    {
        for (var number = Math.Min(release - 1, Last); number > 0; number--)
        {
            if (IsRelease(number) && !IsRolledBack(number)) return number;
        }

        return 0;
    }

    /// <summary>SHA-256 of the last entry that is one, which the next must name; empty before the first.</summary>
    internal string Chain => Entries.LastOrDefault(static item => item.Sha256.Length > 0)?.Sha256 ?? "";

    /// <summary>Which release is in force: a number may be taken twice, if what had it first was lost.</summary>
    internal ReleaseId ReleaseInForce => new(InForce, InForce > 0 ? Entries[InForce - 1].Sha256 : "");

    /// <summary>SHA-256 of the entries that count.</summary>
    internal IEnumerable<string> Counted =>
        Entries.Where(static item => item.State == PolicyEntryState.Valid).Select(static item => item.Sha256);

    /// <summary>Whether that number is a release that counts.</summary>
    internal bool IsRelease(int number) =>
        number >= 1 && number <= Last && Entries[number - 1] is { State: PolicyEntryState.Valid, IsRelease: true };

    /// <summary>Whether that very release is here and counts.</summary>
    internal bool Has(ReleaseId release) =>
        release.Number == 0 || (IsRelease(release.Number) && Entries[release.Number - 1].Sha256 == release.Sha256);

    /// <summary>With the next entry.</summary>
    internal PolicyHistory With(PolicyHistoryItem item, PolicyEntry? entry)
    {
        var inForce = item.State != PolicyEntryState.Valid
            ? InForce
            : entry is PolicyRollback back ? back.To : item.Number;
        var items = ((ImmutableList<PolicyHistoryItem>)Entries).Add(item with { InForce = inForce });
        return new(
            items,
            inForce,
            item.State == PolicyEntryState.Valid && entry is PolicyRollback rollback
                ? _rolledBack.Add(rollback.Of)
                : _rolledBack);
    }

    /// <summary>With what is no entry: none of it counts, or, if it is broken, nothing from it on.</summary>
    internal PolicyHistory With(IEnumerable<PolicyHistoryItem> unread) =>
        new(
            ((ImmutableList<PolicyHistoryItem>)Entries).AddRange(
                unread.Select(item => item with { InForce = InForce })),
            InForce,
            _rolledBack);

    /// <summary>Without what is no entry at its end: the next entry says what that was.</summary>
    internal PolicyHistory WithoutUnreadEnd()
    {
        var items = (ImmutableList<PolicyHistoryItem>)Entries;
        var last = items.FindLastIndex(static item => item.Sha256.Length > 0);
        return last == items.Count - 1 ? this : new(items.GetRange(0, last + 1), InForce, _rolledBack);
    }

    /// <summary>What is wrong with a rollback here, or <see langword="null"/>.</summary>
    internal string? ObjectionTo(PolicyRollback rollback)
    {
        if (rollback.Of != InForce) return $"takes back release {rollback.Of}, and {Describe(InForce)} was in force";
        return ObjectionToTarget(rollback.Of, rollback.To);
    }

    /// <summary>What is wrong with going back to a release, or <see langword="null"/>.</summary>
    internal string? ObjectionToTarget(int of, int to)
    {
        if (to >= of) return $"goes back from release {of} to {to}, which is not an earlier one";
        if (to > 0 && !IsRelease(to)) return $"goes back to {to}, which is no release that counts";
        return IsRolledBack(to)
            ? $"goes back to release {to}, which was taken back itself; publish it anew instead"
            : null;
    }

    internal static string Describe(int release) => release == 0 ? "what silos are started with" : $"release {release}";
}

/// <summary>One entry of a history.</summary>
/// <param name="Number">From 1.</param>
/// <param name="State">Whether it counts.</param>
/// <param name="Problem">Why it does not; empty if it does.</param>
/// <param name="Sha256">
/// Of all of its bytes, in hexadecimal, as the next entry names it; empty if it is missing, or no entry.
/// </param>
internal sealed record PolicyHistoryItem(int Number, PolicyEntryState State, string Problem, string Sha256)
{
    /// <summary>What it says, in a few words; empty if it could not be read.</summary>
    public string Text { get; init; } = "";

    /// <summary>Whether it is a release.</summary>
    public bool IsRelease { get; init; }

    /// <summary>The release that was in force from it on; 0 for what silos were started with.</summary>
    public int InForce { get; init; }

    /// <summary>When it was made; <see langword="null"/> if it could not be read.</summary>
    public DateTimeOffset? At { get; init; }

    /// <summary>Who made it, as it says.</summary>
    public string By { get; init; } = "";

    /// <summary>
    /// The key that it names as its signer's; empty if it has no signature.
    /// Whether the signature is right is known only where keys are configured.
    /// </summary>
    public string Key { get; init; } = "";
}

/// <summary>Whether an entry counts.</summary>
internal enum PolicyEntryState
{
    /// <summary>It does.</summary>
    Valid,

    /// <summary>
    /// It is passed over: not signed as it should be, a rollback that makes no sense where it stands, or no entry at
    /// all, and the next one does without.
    /// </summary>
    PassedOver,

    /// <summary>
    /// It is of a newer version, does not continue the entry before it, or is gone or damaged and the next one needs
    /// it: nothing from here on counts.
    /// </summary>
    Broken,
}
