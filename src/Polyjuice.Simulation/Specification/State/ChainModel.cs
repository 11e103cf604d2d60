using Polyjuice.Contracts;

namespace Polyjuice.Simulation.Specification.State;

/// <summary>
/// The ordered versions of a participant, in the order of their write timestamps; nothing is ever pruned.
/// </summary>
internal sealed class ChainModel(VersionId first = default, long timestamp = 0)
{
    private readonly List<VersionModel> _versions = [new VersionModel(first, timestamp) { IsCommitted = true }];

    /// <summary>The last one.</summary>
    public VersionModel Last => _versions[^1];

    /// <summary>The nth one; 0 is the initial value.</summary>
    public VersionModel this[int index] => _versions[index];

    /// <summary>How many.</summary>
    public int Count => _versions.Count;

    /// <summary>Where a version is, or below 0. The last ones are looked at first: they are asked for most.</summary>
    public int IndexOf(VersionId version)
    {
        var at = _versions.Count - 1;
        while (at >= 0 && _versions[at].Id != version) at--;
        return at;
    }

    /// <summary>Puts a version behind all.</summary>
    public VersionModel Add(VersionId id, long timestamp, bool isCommitted)
    {
        var version = new VersionModel(id, timestamp) { IsCommitted = isCommitted };
        _versions.Add(version);
        return version;
    }

    /// <summary>Takes out a version and all behind it (R4).</summary>
    public void RemoveFrom(int index) => _versions.RemoveRange(index, _versions.Count - index);

    /// <summary>For people.</summary>
    public override string ToString() =>
        string.Join(
            " → ",
            _versions.TakeLast(4)
                .Select(
                    v =>
                        $"{v.Id.Transaction}#{v.Id.Write} (wts {v.WriteTimestamp}, rts "
                        + $"{v.ReadTimestamp}{(v.IsCommitted ? ", committed" : "")})"));
}
