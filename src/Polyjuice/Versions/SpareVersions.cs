namespace Polyjuice.Versions;

/// <summary>
/// Versions of one state type that are out of their participants' histories and that nobody looks at any more, to be
/// used again; the last one first, because it is likely to be in a processor's cache still. Linked by their
/// <see cref="StateVersion.Previous"/>. Turn only.
/// </summary>
internal sealed class SpareVersions
{
    private const int VersionsMax = 1_024;
    private StateVersion? _first;
    private int _count;

    /// <summary>Takes one.</summary>
    public StateVersion? Take()
    {
        if (_first is not { } version) return null;
        _first = version.Previous;
        _count--;
        return version;
    }

    /// <summary>Gives one back. Nothing else may refer to it.</summary>
    public void Add(StateVersion version)
    {
        if (_count == VersionsMax) return;
        version.Previous = _first;
        _first = version;
        _count++;
    }
}
