namespace Polyjuice.Versions;

/// <summary>
/// The exposed versions of a participant, oldest first. There is mostly none or one,
/// at thousands of participants, and every dirty access asks for the latest: so the
/// first is kept in place, and only what comes on top of it in a list. Turn only.
/// </summary>
internal struct ExposedVersions
{
    private StateVersion? _first;
    private List<StateVersion>? _others;

    /// <summary>How many there are.</summary>
    public readonly int Count => _first is null ? 0 : 1 + (_others?.Count ?? 0);

    /// <summary>The one that was exposed last, if there is any.</summary>
    public readonly StateVersion? Latest => _others is { Count: > 0 } others ? others[^1] : _first;

    /// <summary>By number; there must be one.</summary>
    public readonly StateVersion this[int at] => at == 0 ? _first! : _others![at - 1];

    /// <summary>The number of one of them; negative if it is none.</summary>
    public readonly int IndexOf(StateVersion version)
    {
        if (version == _first) return 0;
        return _others?.IndexOf(version) is >= 0 and var at ? at + 1 : -1;
    }

    /// <summary>Another one is exposed, built on <see cref="Latest"/>.</summary>
    public void Add(StateVersion version)
    {
        if (_first is null) _first = version;
        else (_others ??= []).Add(version);
    }

    /// <summary>One is exposed no longer, by number.</summary>
    public void RemoveAt(int at)
    {
        if (at > 0)
        {
            _others!.RemoveAt(at - 1);
            return;
        }

        _first = null;
        if (_others is not { Count: > 0 } others) return;
        _first = others[0];
        others.RemoveAt(0);
    }
}
