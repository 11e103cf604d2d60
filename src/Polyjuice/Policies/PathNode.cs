using System.Text;
using Polyjuice.Contracts;
using Polyjuice.Wire;

namespace Polyjuice.Policies;

/// <summary>The grain class and name of a state, numbered per engine so that a path finds its sites by index.</summary>
internal sealed record StateClass(int Index, string Name);

/// <summary>A caller path within a transaction type: the tree of grain methods that calls have taken.</summary>
internal sealed class PathNode
{
    private readonly PathTree _tree;
    private readonly List<(GrainMethod Method, PathNode Node)> _children = [];
    private SiteInfo?[] _sites = [];

    public PathNode(PathTree tree, string type, int typeId, string path, string label)
    {
        _tree = tree;
        Type = type;
        TypeId = typeId;
        Path = path;
        Label = label;
        Key = Encoding.UTF8.GetBytes($"{type}\n{path}");
    }

    public string Type { get; }

    public int TypeId { get; }

    /// <summary>Method names joined by '&gt;'.</summary>
    public string Path { get; }

    public string Label { get; }

    /// <summary>Type and path as they travel with calls.</summary>
    public byte[] Key { get; }

    public PathNode Child(GrainMethod method)
    {
        foreach (var (known, node) in _children)
        {
            if (ReferenceEquals(known, method)) return node;
        }

        var child = _tree.GetOrAdd(Type, $"{Path}>{method.Name}", method.Label);
        _children.Add((method, child));
        return child;
    }

    public SiteInfo Site(StateClass state, AccessKind kind)
    {
        var index = (state.Index * 2) + (int)kind;
        if (index < _sites.Length && _sites[index] is { } known) return known;
        if (index >= _sites.Length) Array.Resize(ref _sites, Math.Max(4, (index + 1) * 2));
        return _sites[index] = _tree.Registry.GetOrAddSite(new SiteKey(Type, Path, state.Name, kind, Label));
    }
}

/// <summary>All caller paths that one engine has seen.</summary>
internal sealed class PathTree(SiteRegistry registry)
{
    // Hosts have one object for a method; who makes one for each call finds its path by name.
    private const int RootsMax = 1_024;

    private readonly Dictionary<(string Type, string Path), PathNode> _nodes = [];
    private readonly Dictionary<GrainMethod, PathNode> _roots = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<string, PathNode> _byKey = new(StringComparer.Ordinal);
    private readonly Dictionary<string, StateClass> _states = new(StringComparer.Ordinal);

    public SiteRegistry Registry { get; } = registry;

    /// <summary>
    /// Where a transaction begins: found by the method itself, because every transaction asks for it.
    /// </summary>
    public PathNode Root(string type, GrainMethod method)
    {
        if (_roots.TryGetValue(method, out var root) && ReferenceEquals(root.Type, type)) return root;
        root = GetOrAdd(type, method.Name, method.Label);
        if (_roots.Count < RootsMax) _roots.TryAdd(method, root);
        return root;
    }

    public PathNode GetOrAdd(string type, string path, string label = "")
    {
        if (_nodes.TryGetValue((type, path), out var node)) return node;
        node = new PathNode(this, type, Registry.GetOrAddType(type), path, label);
        _nodes.Add((type, path), node);
        _byKey.Add($"{type}\n{path}", node);
        return node;
    }

    /// <summary>Finds the path that a call from another node names.</summary>
    public PathNode Find(ReadOnlySpan<byte> key)
    {
        Span<char> text = key.Length <= 512 ? stackalloc char[512] : new char[key.Length];
        text = text[..Encoding.UTF8.GetChars(key, text)];
        if (_byKey.GetAlternateLookup<ReadOnlySpan<char>>().TryGetValue(text, out var node)) return node;
        var end = text.IndexOf('\n');
        if (end < 0) throw new CodingException("A call names no path.");
        return GetOrAdd(new string(text[..end]), new string(text[(end + 1)..]));
    }

    public StateClass StateClass(string name)
    {
        if (!_states.TryGetValue(name, out var state)) _states.Add(name, state = new StateClass(_states.Count, name));
        return state;
    }
}
