namespace Polyjuice.Publishing;

/// <summary>
/// Whose entries count. Without keys, all do. With keys, an entry counts if one of them has signed it; what has not
/// been signed, or by another, is passed over. A key may be for rollbacks alone: so a silo that has one can take a bad
/// release back, and can never bring in a policy that nobody published. Immutable, thread-safe.
/// </summary>
internal sealed class PolicyTrust
{
    private readonly Dictionary<string, (PolicyVerificationKey Key, bool RollsBackOnly)> _keys = new(
        StringComparer.Ordinal);

    /// <summary>By keys.</summary>
    /// <param name="publishers">Of those who may publish and roll back.</param>
    /// <param name="silos">Of those who may only roll back.</param>
    public PolicyTrust(IEnumerable<PolicyVerificationKey> publishers, IEnumerable<PolicyVerificationKey>? silos = null)
    {
        ArgumentNullException.ThrowIfNull(publishers);
        foreach (var key in silos ?? []) _keys[key.Id] = (key, true);
        foreach (var key in publishers) _keys[key.Id] = (key, false);
    }

    /// <summary>Of everybody: whoever may write there may publish.</summary>
    public static PolicyTrust Everybody { get; } = new([]);

    /// <summary>Whether entries need a signature.</summary>
    public bool NeedsSignatures => _keys.Count > 0;

    /// <summary>Whether entries count that a key signs.</summary>
    /// <param name="key">The key's public half.</param>
    /// <param name="isRelease">Whether they are releases.</param>
    public bool Accepts(PolicyVerificationKey key, bool isRelease)
    {
        ArgumentNullException.ThrowIfNull(key);
        return !NeedsSignatures || (_keys.TryGetValue(key.Id, out var known) && !(isRelease && known.RollsBackOnly));
    }

    /// <summary>Why an entry does not count, or <see langword="null"/> if it does.</summary>
    internal string? Objection(PolicyEntry entry, ReadOnlySpan<byte> digest)
    {
        if (!NeedsSignatures) return null;
        if (entry.Signature is not { } signature) return "is not signed, and keys are configured";
        if (!_keys.TryGetValue(signature.Key, out var known))
            return $"is signed with key {signature.Key}, which is not one of those that are configured "
                + $"({string.Join(", ", _keys.Keys.Order(StringComparer.Ordinal))})";
        if (!known.Key.Verify(digest, signature.Value))
            return $"has a wrong signature: it is not key {signature.Key}'s, or the entry was changed";
        return entry is PolicyRelease && known.RollsBackOnly
            ? $"is a release that is signed with key {signature.Key}, which may only roll back"
            : null;
    }
}
