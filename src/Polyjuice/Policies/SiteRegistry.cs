namespace Polyjuice.Policies;

/// <summary>
/// Numbers the transaction types and access sites that this process has seen. Append-only: a number never changes
/// meaning, so that a compiled table is indexed by it. Thread-safe; look-ups by number take no lock.
/// </summary>
internal sealed class SiteRegistry
{
    private readonly Lock _gate = new();
    private readonly Dictionary<string, int> _typeIds = new(StringComparer.Ordinal);
    private readonly Dictionary<SiteKey, int> _siteIds = [];
    private volatile string[] _types = [];
    private volatile SiteInfo[] _sites = [];
    private volatile int _version;

    /// <summary>Grows whenever a type or site is added or a site turns out to be repeated.</summary>
    public int Version => _version;

    /// <summary>All types, by number. The array is a snapshot and must not be written to.</summary>
    public IReadOnlyList<string> Types => _types;

    /// <summary>All sites, by number, in the order in which they were first seen. The array is a snapshot.</summary>
    public IReadOnlyList<SiteInfo> Sites => _sites;

    /// <summary>The number of a type, given to it now if it is new.</summary>
    public int GetOrAddType(string type)
    {
        lock (_gate)
        {
            if (_typeIds.TryGetValue(type, out var id)) return id;
            id = _types.Length;
            _types = [.. _types, type];
            _typeIds.Add(type, id);
            _version++;
            return id;
        }
    }

    /// <summary>The site with that key, numbered now if it is new.</summary>
    public SiteInfo GetOrAddSite(SiteKey key)
    {
        var type = GetOrAddType(key.Type);
        lock (_gate)
        {
            if (_siteIds.TryGetValue(key, out var id)) return _sites[id];
            var site = new SiteInfo(this, _sites.Length, type, key);
            _sites = [.. _sites, site];
            _siteIds.Add(key, site.Id);
            _version++;
            return site;
        }
    }

    internal void Changed()
    {
        lock (_gate) _version++;
    }
}

/// <summary>One numbered access site.</summary>
internal sealed class SiteInfo
{
    private readonly SiteRegistry _registry;
    private volatile bool _isRepeated;

    internal SiteInfo(SiteRegistry registry, int id, int typeId, SiteKey key)
    {
        _registry = registry;
        Id = id;
        TypeId = typeId;
        Key = key;
    }

    /// <summary>The site's number in its registry.</summary>
    public int Id { get; }

    /// <summary>The number of its transaction type.</summary>
    public int TypeId { get; }

    /// <summary>What it is.</summary>
    public SiteKey Key { get; }

    /// <summary>
    /// Whether one transaction was ever seen to pass the site more than once. Such a site is finished only when a later
    /// one has begun, because nobody can tell a loop's last iteration from the others.
    /// </summary>
    public bool IsRepeated => _isRepeated;

    /// <summary>Records that one transaction passed the site twice.</summary>
    public void MarkRepeated()
    {
        if (_isRepeated) return;
        _isRepeated = true;
        _registry.Changed();
    }
}
